import { migrate } from '../../src/database/migrate.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { sql } from 'kysely';
import { freshDatabase } from '../support/database.js';

const late = ['20261124110000-emails-in-any-case', '20261124110001-unique-emails-in-any-case'];

describe('a database with accounts whose addresses differ in the spelling alone', () => {
  let database: OpenDatabase;
  const users = (...emails: string[]) =>
    emails.map((email, index) => ({ id: `00000000-0000-7000-8000-00000000000${index}`, email, name: email }));
  const insert = async (id: string, email: string) =>
    sql`insert into users (id, email, name, created_at) values (${id}, ${email}, ${email}, now())`.execute(database.db);

  beforeAll(async () => {
    database = await freshDatabase();
    const { db } = database;
    await sql`delete from slipway_migrations where name in (${sql.join(late)})`.execute(db);
    await sql`drop index users_any_email_unique`.execute(db);
    await sql`drop index users_any_email_index`.execute(db);
    await sql`alter table users drop column shares_email`.execute(db);
    for (const { id, email } of users('ada@example.com', 'Ada@example.com', 'ADA@example.com', 'bob@example.com'))
      await insert(id, email);
  });
  afterAll(() => database.close());

  test('is migrated, keeps them all, and takes no more of them', async () => {
    expect(await migrate(database)).toEqual(late);
    const { rows } = await sql<{
      email: string;
      shared: boolean;
    }>`select email, shares_email as shared from users order by id`.execute(database.db);
    expect(rows).toEqual([
      { email: 'ada@example.com', shared: false },
      { email: 'Ada@example.com', shared: true },
      { email: 'ADA@example.com', shared: true },
      { email: 'bob@example.com', shared: false },
    ]);
    await expect(insert('00000000-0000-7000-8000-000000000009', 'BOB@example.com')).rejects.toThrow(
      'users_any_email_unique',
    );
    await expect(insert('00000000-0000-7000-8000-000000000009', 'AdA@example.com')).rejects.toThrow(
      'users_any_email_unique',
    );
  });

  test('has the table of users that the entity metadata describes afterwards', async () => {
    const orm = await database.openOrm();
    expect(await orm.schema.getUpdateSchemaSQL()).not.toContain('"users"');
  });
});
