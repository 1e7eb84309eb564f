import { type RawBuilder, sql } from 'kysely';
import type { Db, TableName } from '../../entities/database.js';

/** Rows of a table to delete, by a condition on its columns. */
export interface DoomedRows {
  table: TableName;
  where: RawBuilder<unknown>;
}

/**
 * Deletes rows, at most `most` of all, in the order of the list; returns their number. Less than `most` means that none
 * of them is left.
 */
export async function deleteSome(db: Db, doomed: readonly DoomedRows[], most: number): Promise<number> {
  let deleted = 0;
  for (const { table, where } of doomed) {
    if (deleted >= most) break;
    const name = sql.table(table);
    const { numAffectedRows = 0n } = await sql`
      delete from ${name} where ctid = any(array(select ctid from
        ${name} where ${where} limit ${most - deleted}))`.execute(db);
    deleted += Number(numAffectedRows);
  }
  return deleted;
}

/** Deletes rows with whatever is still below them, with one statement; returns the number of `last`. */
export async function deleteWith(db: Db, below: readonly DoomedRows[], last: DoomedRows): Promise<number> {
  const statement = ({ table, where }: DoomedRows) => sql`delete from ${sql.table(table)} where ${where}`;
  const parts = below.map((rows) => sql`${sql.id(`of_${rows.table}`)} as (${statement(rows)})`);
  const { numAffectedRows = 0n } = await sql`with ${sql.join(parts)} ${statement(last)}`.execute(db);
  return Number(numAffectedRows);
}
