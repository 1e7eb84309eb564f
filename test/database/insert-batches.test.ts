import fc from 'fast-check';
import { insertBatches, type RowInsert } from '../../src/database/insert-batches.js';

const rowsOf = (count: number, bytes: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index), command: 'x'.repeat(bytes) }));
const insertOf = (table: string, rows: object[], returned?: (rows: object[]) => void) =>
  ({ table, rows, returned }) as unknown as RowInsert;

describe('rows to insert', () => {
  test('of few bytes go with one statement', () => {
    expect(insertBatches([insertOf('builds', rowsOf(1, 10)), insertOf('jobs', rowsOf(500, 1_000))])).toHaveLength(1);
  });

  test('of many bytes are divided among statements, and given back together once all are stored', () => {
    const given: object[][] = [];
    const jobs = rowsOf(500, 32_000);
    const batches = insertBatches([
      insertOf('builds', rowsOf(1, 10)),
      insertOf('jobs', jobs, (all) => given.push(all)),
    ]);
    expect(batches.length).toBeGreaterThan(6);
    expect(batches[0]?.[0]?.table).toBe('builds');
    for (const { rows, returned } of batches.flat()) returned?.(rows as never);
    expect(given).toEqual([jobs]);
  });

  test('are each in one batch, in their order, and no batch has much more than its bytes', () => {
    const lists = fc.array(fc.record({ count: fc.nat(60), bytes: fc.nat(400_000) }), { maxLength: 4 });
    fc.assert(
      fc.property(lists, (tables) => {
        const inserts = tables.map(({ count, bytes }, index) => insertOf(`t${index}`, rowsOf(count, bytes)));
        const batches = insertBatches(inserts);
        for (const { table, rows } of inserts)
          expect(batches.flat().flatMap((each) => (each.table === table ? each.rows : []))).toEqual(rows);
        const isDivided = inserts.some(({ rows }) => rows.length >= 20);
        const bytesOf = (batch: readonly RowInsert[]) =>
          batch
            .flatMap(({ rows }) => rows as readonly unknown[] as readonly { command: string }[])
            .reduce((sum, row) => sum + row.command.length, 0);
        for (const batch of batches) expect(!isDivided || bytesOf(batch) <= 2.5 * 1024 * 1024).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
