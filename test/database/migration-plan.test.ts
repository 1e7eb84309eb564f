import { Migration } from '@mikro-orm/migrations';
import { migrate } from '../../src/database/migrate.js';
import { planMigrations } from '../../src/database/migration-plan.js';
import type { OpenDatabase } from '../../src/database/open.js';
import { OnlineIndexMigration } from '../../src/migrations/online-index-migration.js';
import { loadMigrations } from '../../src/migrations/registry.js';
import { freshDatabase } from '../support/database.js';

class ChangeUsers extends Migration {
  override up(): void {
    this.addSql('alter table "users" add column "weight" int not null default 0');
    this.addSql('alter table "users" alter column "weight" type bigint');
    this.addSql('create table "weights" ("team_id" uuid not null references "teams" ("id"))');
    this.addSql('create index "weights_index" on "weights" ("team_id")');
    this.addSql('update "teams" set "name" = "name"');
    this.addSql('create index "pipelines_plan_index" on "pipelines" ("name")');
  }
}

class IndexTeams extends OnlineIndexMigration {
  readonly indexes = [{ name: 'teams_plan_index', table: 'teams', definition: '("name")' }];
}

const changeUsers = { name: '29990101000000-change-users', class: ChangeUsers };
const indexTeams = { name: '29990101000001-index-teams', class: IndexTeams };

// A second database runs all migrations.
vi.setConfig({ testTimeout: 120_000 });

describe('the plan of pending migrations', () => {
  let database: OpenDatabase;
  beforeAll(async () => void (database = await freshDatabase()));
  afterAll(() => database.close());

  test('a database that is up to date has an empty plan', async () => {
    expect(await planMigrations(database)).toEqual([]);
  });

  test('each statement is listed with the locks it adds on existing tables, and nothing is changed', async () => {
    const plan = await planMigrations(database, [...(await loadMigrations()), changeUsers, indexTeams]);
    const locks = plan.map(({ name, isTransactional, statements }) => ({
      name,
      isTransactional,
      statements: statements.map(({ statement, locks }) => [
        statement.split(' ').slice(0, 3).join(' '),
        ...locks.map(
          ({ table, mode, waiting, rewrites }) => `${table} ${mode}: ${waiting}${rewrites ? ', rewritten' : ''}`,
        ),
      ]),
    }));
    expect(locks).toEqual([
      {
        name: changeUsers.name,
        isTransactional: true,
        statements: [
          ['alter table "users"', 'users AccessExclusiveLock: reads and writes'],
          ['alter table "users"', 'users AccessExclusiveLock: reads and writes, rewritten'],
          ['create table "weights"', 'teams ShareRowExclusiveLock: writes'],
          ['create index "weights_index"'],
          ['update "teams" set', 'teams RowExclusiveLock: nothing'],
          ['create index "pipelines_plan_index"', 'pipelines ShareLock: writes'],
        ],
      },
      {
        name: indexTeams.name,
        isTransactional: false,
        statements: [['create index concurrently', 'teams ShareUpdateExclusiveLock: nothing']],
      },
    ]);
    expect(plan[0]?.statements[0]?.locks[0]?.bytes).toBeGreaterThan(0);
    expect(await migrate(database)).toEqual([]);
  });
});
