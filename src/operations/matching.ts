import { type RawBuilder, sql } from 'kysely';

/** `column ilike '%part%'`: whether a text contains a part, capitals aside; the part's own `%` and `_` are plain text. */
export function contains(column: RawBuilder<unknown> | string, part: string): RawBuilder<boolean> {
  const pattern = `%${part.replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`${typeof column === 'string' ? sql.ref(column) : column} ilike ${pattern}`;
}
