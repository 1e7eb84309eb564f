import { useState } from 'react';
import { texts } from '../texts/texts';
import { Dialog } from '../ui/dialog';
import { chooseSingleKeys, singleKeysChosen } from './preferences';
import { useActiveShortcuts } from './shortcuts';

const isMac = navigator.platform.startsWith('Mac');

const keyName = (key: string) =>
  key
    .replace('mod+', isMac ? '⌘' : 'Ctrl+')
    .replace('ArrowDown', '↓')
    .replace('ArrowUp', '↑');

/** The shortcuts of the page below, and whether those of a single key are on. */
export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const shortcuts = useActiveShortcuts();
  const [singleKeys, setSingleKeys] = useState(singleKeysChosen);
  const choose = (on: boolean) => {
    chooseSingleKeys(on);
    setSingleKeys(on);
  };
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
      <label className="row">
        <input type="checkbox" checked={singleKeys} onChange={(event) => choose(event.target.checked)} />
        {texts.shell.singleKeys}
      </label>
      <div className="dialog-foot">
        <button type="button" className="button" onClick={onClose}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  );
}
