import type { ReactNode } from 'react';

/** A link to a page of another host; what it is about without a link where `to` is null. */
export function Outside({ to, children }: { to: string | null; children: ReactNode }) {
  if (to === null) return <>{children}</>;
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
