import { jsonSize } from '../domain/json-size.js';
import type { NewRow, Row } from '../entities/database.js';
import { manyRows } from './packed-rows.js';

/** Tables into which rows are inserted beside those of every transaction. */
export type InsertedTable = 'builds' | 'steps' | 'jobs' | 'build_meta_data';

/** Rows of one table; a column that some of them leave out is null there. */
export interface RowInsert<T extends InsertedTable = InsertedTable> {
  table: T;
  rows: readonly NewRow<T>[];
  /** Gets the rows with the columns that the database filled in. */
  returned?: ((rows: Row<T>[]) => void) | undefined;
}

/**
 * Bytes of rows that one statement inserts, about: the embedded database takes 50 ms for them, in which the process
 * does nothing else.
 */
const batchBytes = 2 * 1024 * 1024;

/**
 * Divides rows to insert among statements, in their order; one batch unless they have many bytes. Rows that share a
 * text are sent with one copy of it (`packed-rows.ts`), but each of them stores its own.
 */
export function insertBatches<T extends InsertedTable = InsertedTable>(
  inserts: readonly RowInsert<T>[],
): RowInsert<T>[][] {
  if (!inserts.some(({ rows }) => rows.length >= manyRows)) return [[...inserts]];
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (typeof value !== 'object' || value === null) return 8;
    const known = sizes.get(value) ?? jsonSize(value, batchBytes);
    sizes.set(value, known);
    return known;
  };
  const batches: RowInsert<T>[][] = [];
  let batch: RowInsert<T>[] = [];
  let bytes = 0;
  for (const { table, rows, returned } of inserts) {
    let part: (typeof rows)[number][] = [];
    const stored: object[] = [];
    // `returned` is called once, when the rows of all batches are stored.
    const collect = (some: object[]) => {
      stored.push(...some);
      if (stored.length === rows.length) returned?.(stored as never);
    };
    const collector = returned ? { returned: collect } : {};
    for (const row of rows) {
      const size = Object.values(row).reduce<number>((sum, value) => sum + sizeOf(value), 0);
      if (bytes > 0 && bytes + size > batchBytes) {
        if (part.length > 0) batch.push({ table, rows: part, ...collector } as RowInsert<T>);
        batches.push(batch);
        [batch, part, bytes] = [[], [], 0];
      }
      part.push(row);
      bytes += size;
    }
    if (part.length > 0) batch.push({ table, rows: part, ...collector } as RowInsert<T>);
  }
  batches.push(batch);
  return batches;
}
