import { lazy, type ReactNode, Suspense } from 'react';

export interface MenuEntry {
  id: string;
  label: ReactNode;
  text: string;
  danger?: boolean;
  disabled?: boolean;
  onAction?: () => void;
}

export interface MenuProps {
  label: string;
  children: ReactNode;
  entries: MenuEntry[];
  className?: string;
}

const AriaMenu = lazy(async () => ({ default: (await import('./aria-menu')).AriaMenu }));

/** A button that opens a menu. The library behind it comes after the page: until then the button only looks so. */
export function Menu({ className = 'button button-plain button-icon', ...props }: MenuProps) {
  const asleep = (
    <button type="button" className={className} aria-label={props.label} aria-haspopup="true">
      {props.children}
    </button>
  );
  return (
    <Suspense fallback={asleep}>
      <AriaMenu className={className} {...props} />
    </Suspense>
  );
}
