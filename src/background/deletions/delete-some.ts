import { type RawBuilder, sql } from 'kysely';
import type { Db, TableName } from '../../entities/database.js';

/** Rows of a table to delete, by a condition on its columns. */
export interface DoomedRows {
  table: TableName;
  where: RawBuilder<unknown>;
  /** Bytes in the storage that a row has; absent for none. */
  bytes?: RawBuilder<unknown>;
}

/** Rows that were deleted or would be, and their bytes in the storage. */
export interface DeletedRows {
  rows: number;
  bytes: number;
}

/**
 * Deletes rows, at most `most` of all, in the order of the list; returns their number. Less than `most` means that none
 * of them is left.
 */
export async function deleteSome(db: Db, doomed: readonly DoomedRows[], most: number): Promise<number> {
  return (await deleteMeasured(db, doomed, most)).rows;
}

/** The same, with the bytes of the rows. */
export async function deleteMeasured(db: Db, doomed: readonly DoomedRows[], most: number): Promise<DeletedRows> {
  let rows = 0;
  let bytes = 0;
  for (const { table, where, bytes: size } of doomed) {
    if (rows >= most) break;
    const name = sql.table(table);
    const deletion = sql`delete from ${name} where ctid = any(array(select ctid from
      ${name} where ${where} limit ${most - rows}))`;
    if (size) {
      const { rows: sums } = await sql<{ count: number; bytes: number }>`
        with gone as (${deletion} returning ${size} as bytes)
        select count(*)::int as count, coalesce(sum(bytes), 0)::float8 as bytes from gone`.execute(db);
      rows += sums[0]?.count ?? 0;
      bytes += sums[0]?.bytes ?? 0;
    } else rows += Number((await deletion.execute(db)).numAffectedRows ?? 0n);
  }
  return { rows, bytes };
}

/**
 * Deletes all of these rows with one statement, for few that are known to be few: each table's rows are found as they
 * were before it.
 */
export async function deleteTogether(db: Db, doomed: readonly DoomedRows[]): Promise<DeletedRows> {
  const parts = doomed.map(
    ({ table, where, bytes = sql`0` }, index) =>
      sql`${sql.id(`part_${index}`)} as (
        delete from ${sql.table(table)} where ${where} returning (${bytes})::bigint as bytes)`,
  );
  const sums = doomed.map((_, index) => sql`select bytes from ${sql.id(`part_${index}`)}`);
  const { rows } = await sql<DeletedRows>`with ${sql.join(parts)}
    select count(*)::float8 as rows, coalesce(sum(bytes), 0)::float8 as bytes
    from (${sql.join(sums, sql` union all `)}) as parts`.execute(db);
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** Counts the same rows with their bytes, without deleting any. */
export async function measureRows(db: Db, doomed: readonly DoomedRows[]): Promise<DeletedRows> {
  const parts = doomed.map(
    ({ table, where, bytes = sql`0` }) =>
      sql`select count(*) as count, sum(${bytes}) as bytes from ${sql.table(table)} where ${where}`,
  );
  const { rows } = await sql<DeletedRows>`
    select coalesce(sum(count), 0)::float8 as rows, coalesce(sum(bytes), 0)::float8 as bytes
    from (${sql.join(parts, sql` union all `)}) as parts`.execute(db);
  return rows[0] ?? { rows: 0, bytes: 0 };
}

/** Deletes rows with whatever is still below them, with one statement; returns the number of `last`. */
export async function deleteWith(db: Db, below: readonly DoomedRows[], last: DoomedRows): Promise<number> {
  const statement = ({ table, where }: DoomedRows) => sql`delete from ${sql.table(table)} where ${where}`;
  const parts = below.map((rows) => sql`${sql.id(`of_${rows.table}`)} as (${statement(rows)})`);
  const { numAffectedRows = 0n } = await sql`with ${sql.join(parts)} ${statement(last)}`.execute(db);
  return Number(numAffectedRows);
}
