import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useDeferredValue } from 'react';
import { SelectField } from './field';
import { changedFilters } from './filter-values';
import './filters.css';

/**
 * The filters of a list, which live in the address. Takes those of the address (`route.useSearch()`); `shown` are
 * the filters to read the list with: they stay behind while a list is read, so that the list before stays on the
 * screen and typing is not held up.
 */
export function useFilters<Filters extends object>(
  filters: Filters,
): { shown: Filters; change: (part: Partial<Filters>) => void } {
  const navigate = useNavigate();
  const search = (part: Partial<Filters>) => (before: object) => changedFilters(before, part);
  return {
    shown: useDeferredValue(filters),
    change: (part) => void navigate({ to: '.', search: search(part) as never, replace: true }),
  };
}

/** The row of filters above a list. */
export function Filters({ children }: { children: ReactNode }) {
  return (
    <div className="filters" role="search">
      {children}
    </div>
  );
}

interface FilterProps {
  label: string;
  value: string | undefined;
  onChange: (value: string) => void;
}

/** A filter that is typed. */
export function TextFilter({ label, placeholder = label, value, onChange }: FilterProps & { placeholder?: string }) {
  return (
    <input
      className="input filter-search"
      type="search"
      aria-label={label}
      placeholder={placeholder}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A filter that is chosen; `any` is the text of choosing none. */
export function ChoiceFilter(props: FilterProps & { any: string; choices: { value: string; label: string }[] }) {
  return (
    <SelectField
      label={props.label}
      hideLabel
      value={props.value ?? ''}
      onChange={props.onChange}
      choices={[{ value: '', label: props.any }, ...props.choices]}
    />
  );
}
