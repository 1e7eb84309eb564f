import { texts } from '../texts/texts';
import { Dialog } from '../ui/dialog';
import { useActiveShortcuts } from './shortcuts';

const isMac = navigator.platform.startsWith('Mac');

const keyName = (key: string) =>
  key
    .replace('mod+', isMac ? '⌘' : 'Ctrl+')
    .replace('ArrowDown', '↓')
    .replace('ArrowUp', '↑');

/** The shortcuts of the page below. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = useActiveShortcuts();
  return (
    <Dialog title={texts.shell.keyboardHelp} open onClose={onClose}>
      <ul className="stack stack-s">
        {shortcuts.map(({ keys, text }) => (
          <li key={`${keys}${text}`} className="row">
            <span className="grow">{text}</span>
            {keys.split(' ').map((key, index) => (
              <kbd key={index} className="kbd">
                {keyName(key)}
              </kbd>
            ))}
          </li>
        ))}
      </ul>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  );
}
