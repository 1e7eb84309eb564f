import { type RawBuilder, sql } from 'kysely';

/** `column ilike '%part%'`: case-insensitive; `%` and `_` in the part are literal. */
export function contains(column: RawBuilder<unknown> | string, part: string): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} ilike ${pattern}`;
}
