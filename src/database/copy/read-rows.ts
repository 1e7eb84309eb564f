import { sql } from 'kysely';
import type { Db } from '../../entities/database.js';

/** Some rows of a table as the text of a JSON array of objects, whose names are those of the columns. */
export interface RowPiece {
  json: string;
  rows: number;
}

/** Bytes of a piece, about. */
const pieceBytes = 1024 * 1024;
const rowsAtFirst = 32;
const rowsAtMost = 1000;

/**
 * Reads a whole table in pieces, inside a transaction. How many rows are asked for next follows from the largest row so
 * far, so that a table of large texts is never in memory.
 */
export async function* readRows(trx: Db, table: string): AsyncGenerator<RowPiece> {
  await sql`declare copied_rows no scroll cursor for
    select row_to_json(t)::text as row from ${sql.table(table)} t`.execute(trx);
  let largest = 0;
  for (let count = rowsAtFirst; ;) {
    const { rows } = await sql<{ row: string }>`fetch ${sql.raw(String(count))} from copied_rows`.execute(trx);
    if (rows.length > 0) yield { json: `[${rows.map(({ row }) => row).join(',\n')}]`, rows: rows.length };
    if (rows.length < count) break;
    largest = rows.reduce((most, { row }) => Math.max(most, row.length), largest);
    count = Math.max(1, Math.min(rowsAtMost, Math.floor(pieceBytes / Math.max(1, largest))));
  }
  await sql`close copied_rows`.execute(trx);
}
