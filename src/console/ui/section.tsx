import type { ReactNode } from 'react';

/** A part of a page under its own heading, with what can be done there. */
export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack stack-s">
      <div className="row row-wrap">
        <h2 className="grow">{title}</h2>
        {actions}
      </div>
      {children}
    </section>
  );
}
