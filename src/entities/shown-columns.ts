import { columnsByTable } from './columns-by-table.js';
import type { Row, ShownRow, TableName } from './database.js';
import { type TableWithUnshown, unshownColumns } from './unshown-columns.js';

unshownColumns satisfies { [T in TableName]?: readonly (keyof Row<T>)[] };

/** The columns of a `ShownRow` by their names in rows, for `select` on an alias of the table. */
export function shownColumns<T extends TableWithUnshown, A extends string>(
  table: T,
  alias: A,
): readonly `${A}.${keyof ShownRow<T> & string}`[] {
  const unshown: readonly string[] = unshownColumns[table];
  const all = columnsByTable[table]?.all ?? [];
  return all
    .filter((name) => !unshown.includes(name))
    .map((name) => `${alias}.${name as keyof ShownRow<T> & string}` as const);
}
