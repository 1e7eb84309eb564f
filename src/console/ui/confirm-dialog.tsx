import { texts } from '../texts/texts';
import { Dialog } from './dialog';

interface Props {
  question: string;
  /** What happens, where the question does not say it whole. */
  note?: string | undefined;
  /** The button that does it. */
  label: string;
  /** Whether it cannot be undone: then the way back has the focus. */
  danger?: boolean;
  pending: boolean;
  error?: string | undefined;
  confirm: () => void;
  close: () => void;
}

/** Asks once more. */
export function ConfirmDialog({ question, note, label, danger = true, pending, error, confirm, close }: Props) {
  return (
    <Dialog title={question} open onClose={close}>
      {note && <p>{note}</p>}
      {error && (
        <p role="alert" className="field-error">
          {error}
        </p>
      )}
      <div className="dialog-foot">
        <button type="button" className="button" autoFocus={danger} onClick={close}>
          {texts.common.cancel}
        </button>
        <button
          type="button"
          className={`button ${danger ? 'button-danger' : 'button-primary'}`}
          autoFocus={!danger}
          disabled={pending}
          onClick={confirm}
        >
          {label}
        </button>
      </div>
    </Dialog>
  );
}
