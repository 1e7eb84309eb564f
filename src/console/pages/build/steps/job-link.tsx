import { useNavigate } from '@tanstack/react-router';
import type { CSSProperties, ReactNode } from 'react';

/** A link to a job on the page of its build: only the address behind `#` changes, and the page stays where it is. */
export function JobLink({
  uuid,
  current = false,
  className,
  style,
  children,
}: {
  uuid: string;
  current?: boolean;
  className: string;
  style?: CSSProperties;
  children: ReactNode;
}) {
  const navigate = useNavigate();
  return (
    <a
      href={`#${uuid}`}
      className={className}
      style={style}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        void navigate({
          to: '.',
          search: (before) => before,
          hash: uuid,
          resetScroll: false,
          hashScrollIntoView: false,
        });
      }}
    >
      {children}
    </a>
  );
}
