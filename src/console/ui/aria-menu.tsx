import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components/Menu';

interface MenuEntry {
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

/**
 * A button with its menu, which was asked for before this was loaded; arrows, typing ahead and Escape come with the
 * library.
 */
export function AriaMenu({ label, children, entries, className }: MenuProps) {
  return (
    <MenuTrigger defaultOpen>
      <Button aria-label={label} className={className}>
        {children}
      </Button>
      <Popover placement="bottom start" offset={6}>
        <Menu className="menu" items={entries} disabledKeys={entries.filter((e) => e.disabled).map((e) => e.id)}>
          {(entry) => (
            <MenuItem
              id={entry.id}
              textValue={entry.text}
              className={`menu-item ${entry.danger ? 'menu-item-danger' : ''}`}
              {...(entry.onAction ? { onAction: entry.onAction } : {})}
            >
              {entry.label}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
