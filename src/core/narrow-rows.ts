import type { SelectQueryBuilder } from 'kysely';
import { z } from 'zod';
import { columnsAmong } from '../database/row-conversion.js';
import type { Database, Row, ShownRow } from '../entities/database.js';
import { shownColumns } from '../entities/shown-columns.js';
import type { TableWithUnshown } from '../entities/unshown-columns.js';

/** Tables whose rows a list may be asked to read in part: they are wide, and lists of them are long. */
type Narrow = 'jobs' | 'builds';

type NarrowRow<T extends Narrow> = T extends TableWithUnshown ? ShownRow<T> : Row<T>;

/** The columns that the caller of a list reads of its rows, by their names in rows; all of them if absent. */
export const columnNames = z.array(z.string().max(100)).max(100).nullish();

/** What is read of every row: what most lists are ordered by, and what tells types apart. */
const always = {
  jobs: ['id', 'type'],
  builds: ['id', 'number'],
} as const satisfies { [T in Narrow]: readonly (keyof Row<T>)[] };

/**
 * Has a query over an alias of a table select the rows, of which only these columns are read; all that lists show for a
 * name that is none of a column. `key` is a further column that the list is ordered by. To the compiler the rows are
 * whole: only the caller who named the columns may get them.
 */
export function selectRows<T extends Narrow, A extends string>(
  query: SelectQueryBuilder<Database & Record<A, Database[T]>, A, object>,
  {
    table,
    alias,
    columns,
    key = null,
  }: { table: T; alias: A; columns: readonly string[] | null | undefined; key?: (keyof Row<T> & string) | null },
): SelectQueryBuilder<Database & Record<A, Database[T]>, A, NarrowRow<T>> {
  const named = columnsAmong(table, columns);
  const all = () =>
    table === 'builds' ? query.select(shownColumns('builds', alias) as never) : query.selectAll(alias as never);
  const selected = named
    ? query.select(
        [...new Set<string>([...always[table], ...(key === null ? [] : [key]), ...named])].map(
          (name) => `${alias}.${name}`,
        ) as never,
      )
    : all();
  return selected as unknown as SelectQueryBuilder<Database & Record<A, Database[T]>, A, NarrowRow<T>>;
}
