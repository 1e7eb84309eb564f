import type { ReactNode } from 'react';
import { texts } from '../texts/texts';
import { Dialog } from './dialog';
import { FormError } from './field';
import type { Form } from './use-form';

interface Props {
  // The values are of the fields' concern alone.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  form: Form<any>;
  /** What the button says. */
  submit: string;
  danger?: boolean;
  disabled?: boolean;
  cancel?: (() => void) | undefined;
  className?: string;
  children: ReactNode;
}

/** A form with its fields, what was refused of none of them, and its buttons. */
export function FormFrame({ form, submit, danger = false, disabled = false, cancel, className, children }: Props) {
  return (
    <form
      className={className ?? 'form card card-body'}
      onSubmit={(event) => {
        event.preventDefault();
        // A dialog is a child of its page's component, and events of React rise through components.
        event.stopPropagation();
        form.submit();
      }}
    >
      {children}
      <FormError error={form.error} fields={form.bound()} />
      <div className={cancel ? 'dialog-foot' : undefined}>
        {cancel && (
          <button type="button" className="button" onClick={cancel}>
            {texts.common.cancel}
          </button>
        )}
        <button
          type="submit"
          className={`button ${danger ? 'button-danger' : 'button-primary'}`}
          disabled={form.pending || disabled}
        >
          {submit}
        </button>
      </div>
    </form>
  );
}

/** The same in a dialog. */
export function FormDialog({
  title,
  close,
  wide = false,
  ...frame
}: Omit<Props, 'cancel' | 'className'> & { title: string; close: () => void; wide?: boolean }) {
  return (
    <Dialog title={title} open onClose={close} wide={wide}>
      <FormFrame {...frame} cancel={close} className="stack" />
    </Dialog>
  );
}
