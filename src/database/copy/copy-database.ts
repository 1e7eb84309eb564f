import type { OpenDatabase } from '../open.js';
import { readRows } from './read-rows.js';
import { copiedTables, sequenceValues } from './tables.js';
import { inBulkTransaction, inSnapshot } from './whole-database.js';
import { completeTables, countRows, emptyTables, writeRows } from './write-rows.js';

/** Rows that were copied. */
export interface CopiedRows {
  tables: number;
  rows: number;
}

/**
 * Copies all rows of one moment into another database of the same schema, in one transaction there. What migrations and
 * a first start have put there is replaced. Throws if a table is not the same afterwards.
 */
export async function copyDatabase(
  from: OpenDatabase,
  to: OpenDatabase,
  progress: (table: string, rows: number) => void,
): Promise<CopiedRows> {
  return inSnapshot(from, (source) =>
    inBulkTransaction(to, async (target) => {
      const tables = await copiedTables(source);
      await emptyTables(target, tables);
      let all = 0;
      for (const table of tables) {
        let copied = 0;
        for await (const { json, rows } of readRows(source, table.name)) {
          await writeRows(target, table, json);
          progress(table.name, (copied += rows));
        }
        const count = await countRows(target, table.name);
        if (count !== copied) throw new Error(`${count} rows of ${table.name} arrived, and ${copied} were sent`);
        all += copied;
      }
      await completeTables(target, tables, await sequenceValues(source));
      return { tables: tables.length, rows: all };
    }),
  );
}
