import { sql } from 'kysely';
import type { Db } from '../../entities/database.js';
import type { CopiedTable, SequenceValue } from './tables.js';

/**
 * Makes tables ready for the rows of another database: removes what migrations and a first start have put there, and
 * stops the triggers that count and complete rows, because the rows that come are counted and complete.
 */
export async function emptyTables(trx: Db, tables: readonly CopiedTable[]): Promise<void> {
  for (const { name } of tables) {
    await sql`alter table ${sql.table(name)} disable trigger user`.execute(trx);
    await sql`delete from ${sql.table(name)}`.execute(trx);
  }
}

/** Inserts a piece of `readRows`. */
export async function writeRows(trx: Db, { name, columns }: CopiedTable, json: string): Promise<void> {
  const list = sql.join(columns.map((column) => sql.id(column)));
  await sql`
    insert into ${sql.table(name)} (${list}) overriding system value
    select ${list} from json_populate_recordset(null::${sql.table(name)}, ${json}::json)`.execute(trx);
}

/** Number of rows of a table. */
export async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: string }>`select count(*)::text as count from ${sql.table(table)}`.execute(db);
  return Number(rows[0]?.count ?? 0);
}

/** Has triggers work again and counters count on from where they were, once all rows are there. */
export async function completeTables(
  trx: Db,
  tables: readonly CopiedTable[],
  sequences: readonly SequenceValue[],
): Promise<void> {
  for (const { name, lastValue, isCalled } of sequences)
    await sql`select setval(quote_ident(${name}::text)::regclass, ${lastValue}::bigint, ${isCalled}::boolean)`.execute(
      trx,
    );
  for (const { name } of tables) await sql`alter table ${sql.table(name)} enable trigger user`.execute(trx);
}
