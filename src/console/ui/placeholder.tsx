import type { ReactNode } from 'react';
import { texts } from '../texts/texts';
import './states.css';

/** What stands where there is nothing to show: why, and what to do next. */
export function Placeholder({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="placeholder">
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}

/** What stands in the place of an empty list: a sentence on a card, or what is given. */
export function Empty({ children }: { children: ReactNode }) {
  return typeof children === 'string' ? <p className="card card-body muted">{children}</p> : children;
}

export function Loading({ rows = 4 }: { rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{texts.common.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} />
      ))}
    </div>
  );
}

export const NotFound = () => <Placeholder title={texts.errors.notFoundTitle} text={texts.errors.notFound} />;
