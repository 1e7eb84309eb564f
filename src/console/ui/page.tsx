import type { ReactNode } from 'react';
import { Empty } from './placeholder';
import { nextSorting, type Sorting } from './sorting';
import { useTabState } from './tab-state';

/** The frame of a page: title of the window, first heading, what can be done. */
export function Page({
  title,
  state,
  heading,
  crumbs,
  actions,
  wide = false,
  children,
}: {
  title: string;
  /** State that the page is about: the tab of the browser tells it too. */
  state?: string;
  heading?: ReactNode;
  crumbs?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  useTabState(title, state);
  return (
    <div className={`page ${wide ? 'page-wide' : ''}`}>
      <header className="page-head">
        <div className="grow">
          {crumbs && <div className="crumbs">{crumbs}</div>}
          <h1>{heading ?? title}</h1>
        </div>
        {actions && <div className="row row-wrap">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export interface Column<T> {
  title: string;
  cell: (item: T) => ReactNode;
  /** The name by which the table can be sorted by this column. */
  sortKey?: string;
}

export interface TableProps<T> {
  label: string;
  items: readonly T[];
  columns: Column<T>[];
  keyOf: (item: T) => string;
  /** What stands there without any item. */
  empty: ReactNode;
  /** How the items are sorted, and what a heading that can be sorted by does. */
  sorting?: Sorting | null;
  onSort?: (word: string | undefined) => void;
}

function Heading<T>({
  column: { title, sortKey },
  sorting,
  onSort,
}: {
  column: Column<T>;
  sorting: Sorting | null;
  onSort: ((word: string | undefined) => void) | undefined;
}) {
  if (sortKey === undefined || !onSort) return <th scope="col">{title}</th>;
  const own = sorting?.key === sortKey ? sorting : null;
  const direction = own?.descending ? 'descending' : 'ascending';
  return (
    <th scope="col" aria-sort={own ? direction : undefined}>
      <button type="button" className="table-sort" onClick={() => onSort(nextSorting(sorting, sortKey))}>
        {title}
        <span aria-hidden="true">{own ? arrows[direction] : ''}</span>
      </button>
    </th>
  );
}

const arrows = { ascending: ' ▲', descending: ' ▼' };

/** A plain table; scrolls sideways where it is wider than the screen. */
export function Table<T>({ label, items, columns, keyOf, empty, sorting = null, onSort }: TableProps<T>) {
  if (items.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="card table-frame" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorting={sorting} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr key={keyOf(item)}>
              {columns.map((column) => (
                <td key={column.title}>{column.cell(item)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
