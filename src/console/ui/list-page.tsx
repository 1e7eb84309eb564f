import { type ReactNode, useState } from 'react';
import { Page } from './page';

/** What makes another thing of a list: the text of its button, and its dialog. */
interface Making {
  text: string;
  dialog: (close: () => void) => ReactNode;
}

/** The page of a list of an organization, with the button that makes another where the viewer may. */
export function ListPage({
  title,
  making,
  actions,
  children,
}: {
  title: string;
  making?: Making | false | null | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Page
      title={title}
      actions={
        <>
          {actions}
          {making && (
            <button type="button" className="button button-primary" onClick={() => setOpen(true)}>
              {making.text}
            </button>
          )}
        </>
      }
    >
      {children}
      {making && open && making.dialog(() => setOpen(false))}
    </Page>
  );
}
