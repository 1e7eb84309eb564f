import { lazy, Suspense, useState } from 'react';
import type { MenuProps } from './aria-menu';

const load = async () => ({ default: (await import('./aria-menu')).AriaMenu });
const AriaMenu = lazy(load);

/**
 * A button that opens a menu. The library behind it is a fifth of a first page's script, so it comes when somebody is
 * about to use it: with the pointer over the button or the focus on it at the latest; a click before that is kept.
 */
export function Menu({ className = 'button button-plain button-icon', ...props }: MenuProps) {
  const [isRequested, setRequested] = useState(false);
  const asleep = (
    <button
      type="button"
      className={className}
      aria-label={props.label}
      aria-haspopup="true"
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setRequested(true)}
    >
      {props.children}
    </button>
  );
  if (!isRequested) return asleep;
  return (
    <Suspense fallback={asleep}>
      <AriaMenu className={className} {...props} />
    </Suspense>
  );
}
