import { texts } from '../texts/texts';
import { CopyLine } from './copy-button';
import { Dialog } from './dialog';

/** A token that was just made, and is not shown again. */
export function ShownOnce({ title, value, close }: { title: string; value: string; close: () => void }) {
  return (
    <Dialog title={title} open onClose={close}>
      <p>{texts.common.shownOnce}</p>
      <CopyLine text={value} />
      <div className="dialog-foot">
        <button type="button" className="button button-primary" onClick={close}>
          {texts.common.done}
        </button>
      </div>
    </Dialog>
  );
}
