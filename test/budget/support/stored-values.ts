import { sql } from 'kysely';
import { openDatabase } from '../../../src/database/open.js';
import { covered } from '../covered.js';

/** What the columns of a table hold: the bytes of its largest value by column, and of all values together. */
export interface StoredValues {
  largest: Map<string, number>;
  bytesByTable: Record<string, number>;
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Reads how much the columns hold that the fillers have made large; the embedded database must not be open elsewhere.
 */
export async function readStoredValues(dataDir: string, databaseUrl: string | undefined): Promise<StoredValues> {
  const database = await openDatabase({ databaseUrl, dataDir });
  const largest = new Map<string, number>();
  const bytesByTable: Record<string, number> = {};
  try {
    for (const [table, { filled }] of Object.entries(covered)) {
      for (const column of filled) {
        const size = sql`octet_length(${sql.ref(snake(column))}::text)`;
        const { rows } = await sql<{ most: number | null; sum: string | null }>`
          select max(${size}) as most, sum(${size}) as sum from ${sql.table(table)}`.execute(database.db);
        largest.set(`${table}.${column}`, rows[0]?.most ?? 0);
        bytesByTable[table] = (bytesByTable[table] ?? 0) + Number(rows[0]?.sum ?? 0);
      }
    }
  } finally {
    await database.close();
  }
  return { largest, bytesByTable };
}
