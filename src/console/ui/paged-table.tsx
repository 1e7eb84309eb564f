import { More, type Pagination } from './more';
import { Table, type TableProps } from './page';

/** A table of a list that is read page by page; `more` is what Relay gives beside the rows. */
export function PagedTable<T>({ more, ...table }: TableProps<T> & { more: Pagination }) {
  return (
    <>
      <Table {...table} />
      <More {...more} />
    </>
  );
}
