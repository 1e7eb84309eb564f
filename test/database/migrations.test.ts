import { isMigrated, migrate } from '../../src/database/migrate.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { inTransaction } from '../../src/database/transaction.js';
import { freshDatabase } from '../support/database.js';

/** Columns that only replicas of former releases use, so that no entity knows them; each goes with a later release. */
const ofFormerReleases = ['agents.last_job_passed_at', 'commit_statuses.sent_state', 'jobs.limited_at'];

describe('the database schema', () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.close());

  test('the migrations produce the schema that the entity metadata describes', async () => {
    const orm = await database.openOrm();
    const sql = await orm.schema.getUpdateSchemaSQL();
    const drops = [...sql.matchAll(/^alter table "(\w+)" drop column "(\w+)";\n/gm)];
    expect(drops.map(([, table, column]) => `${table}.${column}`).sort()).toEqual(ofFormerReleases);
    const rest = drops.reduce((text, [drop]) => text.replace(drop, ''), sql).replace("set names 'utf8';", '');
    expect(rest.trim()).toBe('');
  });

  test('migrating a second time runs nothing', async () => {
    expect(await isMigrated(database)).toBe(true);
    expect(await migrate(database)).toEqual([]);
  });

  test('a query on the pool from inside a transaction is refused instead of hanging', async () => {
    const nested = inTransaction(database.db, 'test', () => database.db.selectFrom('users').selectAll().execute());
    await expect(nested).rejects.toThrow('query outside the transaction that is open (test)');
    await expect(database.db.selectFrom('users').selectAll().execute()).resolves.toEqual([]);
  });
});
