import { sql } from 'kysely';
import type { OpenDatabase } from '../../src/database/open.js';
import { freshDatabase } from '../support/database.js';

let database: OpenDatabase;
beforeAll(async () => void (database = await freshDatabase()));
afterAll(() => database.close());

describe('text that starts with U+FEFF', () => {
  const texts = ['\uFEFF', '\uFEFFa', '\uFEFF\uFEFFb', 'c\uFEFF', '', 'ä'];

  test('a text starting with U+FEFF is read back unchanged from every column and row', async () => {
    const rows = sql.join(texts.map((text) => sql`(${text}::text, null::text, ${text.length}::int, ${text}::text)`));
    const result = await sql<{
      a: string;
      b: null;
      n: number;
      c: string;
    }>`select * from (values ${rows}) as t(a, b, n, c)`.execute(database.db);
    expect(result.rows).toEqual(texts.map((text) => ({ a: text, b: null, n: text.length, c: text })));
  });

  test('a text starting with U+FEFF is read back unchanged in a transaction, also after an error', async () => {
    await expect(sql`select 1 / 0`.execute(database.db)).rejects.toThrow('division by zero');
    const found = await database.db
      .transaction()
      .execute((trx) => sql<{ a: string }>`select ${'\uFEFFx'}::text as a`.execute(trx));
    expect(found.rows).toEqual([{ a: '\uFEFFx' }]);
  });
});
