import type { Context } from '../../context.js';
import type { NewRow } from '../../entities/database.js';

/** Rows a statement may carry: PostgreSQL takes 65,535 parameters. */
const batch = 400;

/** Inserts the rows of steps or jobs with one statement for each 400 of them. */
export async function insertRows<T extends 'steps' | 'jobs'>(
  context: Context,
  table: T,
  rows: readonly NewRow<T>[],
): Promise<void> {
  for (let start = 0; start < rows.length; start += batch) {
    await context.db
      .insertInto(table)
      // Kysely cannot resolve the insert type of a table that is a type parameter.
      .values(rows.slice(start, start + batch) as never)
      .execute();
  }
}
