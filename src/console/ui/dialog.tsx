import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading } from 'react-aria-components/Dialog';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';

/** A modal dialog: keeps the focus, closes by Escape and by a click beside it. */
export function Dialog({
  title,
  open,
  onClose,
  wide = false,
  hideTitle = false,
  children,
}: {
  title: string;
  open: boolean;
  onClose: () => void;
  wide?: boolean;
  hideTitle?: boolean;
  children: ReactNode;
}) {
  return (
    <ModalOverlay className="overlay" isOpen={open} onOpenChange={(next) => !next && onClose()} isDismissable>
      <Modal className={`dialog ${wide ? 'dialog-wide' : ''}`}>
        <AriaDialog aria-label={title}>
          <div className={hideTitle ? undefined : 'dialog-body'}>
            {!hideTitle && (
              <Heading slot="title" level={2}>
                {title}
              </Heading>
            )}
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
