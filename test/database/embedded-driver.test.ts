import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/open.js';
import { describeOnEmbedded, freshDatabase } from '../support/database.js';

let database: OpenDatabase;
let pglite: PGlite;
beforeAll(async () => {
  database = await freshDatabase((opened) => (pglite = opened));
});
afterAll(() => database.close());

const numbers = (rows: unknown[]) => rows.map((row) => Number((row as { n: unknown }).n));

describe('transactions of both drivers', () => {
  test('the COMMIT of a transaction is an error when one of its statements failed and nobody minded', async () => {
    const committed = database.db.transaction().execute(async (trx) => {
      await sql`select 1 / 0`.execute(trx).catch(() => undefined);
    });
    await expect(committed).rejects.toThrow('the transaction was rolled back');
    expect(numbers((await sql`select 1 as n`.execute(database.db)).rows)).toEqual([1]);
  });

  test('a transaction that only reads refuses a write, and the next one writes', async () => {
    const insert = sql`insert into users (id, email, name, created_at) values (gen_random_uuid(), 'a@example.com', 'A', now())`;
    const reading = database.db.transaction().setAccessMode('read only');
    await expect(reading.execute((trx) => insert.execute(trx))).rejects.toThrow();
    const { numAffectedRows } = await database.db.transaction().execute(async (trx) => await insert.execute(trx));
    expect(numAffectedRows).toBe(1n);
    await expect(insert.execute(database.db)).rejects.toMatchObject({ code: '23505', constraint: expect.any(String) });
  });
});

describeOnEmbedded('the embedded database', () => {
  const prepared = async () => {
    const { rows } = await pglite.query<{ statement: string }>('select statement from pg_prepared_statements');
    return rows.map(({ statement }) => statement);
  };

  test('a statement stays parsed, once, however often it is sent', async () => {
    for (const value of [1, 2, 3])
      expect(numbers((await sql`select ${value}::int + 1 as n`.execute(database.db)).rows)).toEqual([value + 1]);
    expect((await prepared()).filter((text) => text === 'select $1::int + 1 as n')).toHaveLength(1);
  });

  test('no more statements stay parsed than may, and those that were dropped are parsed again', async () => {
    const ask = async (index: number) =>
      numbers((await sql`select ${sql.lit(index)}::int as n`.execute(database.db)).rows);
    for (let index = 0; index < 260; index += 1) expect(await ask(index)).toEqual([index]);
    const texts = await prepared();
    expect(texts).toHaveLength(250);
    expect(texts).not.toContain('select 0::int as n');
    expect(await ask(0)).toEqual([0]);
  });

  test('a very long statement runs, and does not stay parsed', async () => {
    const text = `select 7 as n /* ${'x'.repeat(20_000)} */`;
    for (let time = 0; time < 2; time += 1)
      expect(numbers((await sql.raw(text).execute(database.db)).rows)).toEqual([7]);
    expect(await prepared()).not.toContain(text);
  });

  test('a statement is parsed anew when its table has changed, or when the session has dropped it', async () => {
    await pglite.exec('create temporary table changing as select 1 as n');
    const read = async () => (await sql`select * from changing`.execute(database.db)).rows;
    expect(await read()).toEqual([{ n: 1 }]);
    await pglite.exec('alter table changing add column m int');
    expect(await read()).toEqual([{ n: 1, m: null }]);
    await pglite.exec('deallocate all; drop table changing');
    await expect(read()).rejects.toMatchObject({ code: '42P01' });
    expect(numbers((await sql`select ${1}::int + 1 as n`.execute(database.db)).rows)).toEqual([2]);
  });

  test('what speaks to the database directly waits for the end of a transaction', async () => {
    const order: string[] = [];
    let outside: Promise<unknown> = Promise.resolve();
    await database.db.transaction().execute(async (trx) => {
      await sql`select 1`.execute(trx);
      outside = pglite.query('select 1').then(() => order.push('outside'));
      await sql`select 2`.execute(trx);
      order.push('inside');
    });
    await outside;
    expect(order).toEqual(['inside', 'outside']);
  });
});
