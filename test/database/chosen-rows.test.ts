import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { isChosen, place } from '../../src/database/chosen-rows.js';
import { inTransaction } from '../../src/database/transaction.js';
import { freshDatabase } from '../support/database.js';

describe('rows that a query with a limit chooses', () => {
  test('are as many as the limit where the planner takes the table for one row', async () => {
    const { db, close } = await freshDatabase();
    const insert = () =>
      sql`insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
        select gen_random_uuid(), 1, 0, 0, 0, 0 from generate_series(1, 500)`.execute(db);
    await insert();
    await sql`delete from pipeline_counts where id < (select max(id) from pipeline_counts)`.execute(db);
    await sql`vacuum analyze pipeline_counts`.execute(db);
    await insert();
    const { numDeletedRows } = await inTransaction(db, 'choose', (trx) => {
      const some = trx
        .selectFrom('pipeline_counts')
        .select(place('pipeline_counts').as('place'))
        .where('scheduledBuilds', '=', 1)
        .limit(100)
        .forUpdate()
        .skipLocked();
      return trx.deleteFrom('pipeline_counts').where(isChosen(some)).executeTakeFirst();
    });
    expect(Number(numDeletedRows)).toBe(100);
    await close();
  });

  test('are never a list within the condition of a change', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const lists = files
      .filter((name) => !name.startsWith('migrations') && name !== 'database/chosen-rows.ts')
      .filter((name) => {
        const text = readFileSync(join('src', name), 'utf8');
        const limited = [...text.matchAll(/const (\w+) = [^;]*?\.limit\([^;]*?;/g)]
          .filter(([statement]) => !/\.execute|=>/.test(statement))
          .map(([, variable]) => variable);
        const isList = (variable: string | undefined) => new RegExp(`'in', ${variable}\\b`).test(text);
        return limited.some(isList) || /\bin \(\s*select (?:(?!\bin \()[^)`])*\blimit \$\{/i.test(text);
      });
    expect(lists).toEqual([]);
  });
});
