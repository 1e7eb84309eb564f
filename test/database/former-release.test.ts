import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { hashToken } from '../../src/auth/secrets.js';
import { lastReleased } from '../../src/database/former-release.js';
import { migrate } from '../../src/database/migrate.js';
import { openDatabase } from '../../src/database/open.js';
import { ShortLockMigration } from '../../src/migrations/short-lock-migration.js';
import { loadMigrations } from '../../src/migrations/registry.js';
import { brokenBy, readSchemaFacts, type SchemaFacts } from '../support/schema-facts.js';

/**
 * What the last release's replicas may find changed, each with the reason: mostly a column that the last release does
 * not use any more. Emptied by each release.
 */
const accepted: Readonly<Record<string, string>> = {};

describe('the schema, for replicas of the last release', () => {
  let pglite: PGlite;
  let before: SchemaFacts;
  const query = async <T>(text: string) => (await pglite.query<T>(text)).rows;
  beforeAll(async () => {
    const migrations = await loadMigrations();
    expect(migrations.map(({ name }) => name)).toContain(lastReleased);
    pglite = await PGlite.create({ dataDir: 'memory://' });
    const run = async (some: typeof migrations) => {
      const database = await openDatabase({ dataDir: '', pglite, migrations: some });
      await migrate(database);
      await database.close();
    };
    await run(migrations.filter(({ name }) => name <= lastReleased));
    before = await readSchemaFacts(query);
    await run(migrations);
  }, 120_000);
  afterAll(() => pglite.close());

  test('migrations since the last release take nothing away from its replicas, and ask nothing new of them', async () => {
    expect(brokenBy(before, await readSchemaFacts(query))).toEqual(Object.keys(accepted).sort());
  });

  test.each([
    ['alter table jobs drop column label', ['is gone: jobs.label']],
    ['alter table jobs rename column label to title', ['is gone: jobs.label']],
    [
      'alter table organization_banners rename to banners',
      expect.arrayContaining(['is gone: organization_banners.id']),
    ],
    ['alter table jobs add column weight int not null', ['is new and must be given: jobs.weight']],
    ['alter table jobs add column weight int not null default 0', []],
    ['alter table jobs add column weight int null', []],
    ['alter table jobs alter column label set not null', ['must not be null any more: jobs.label']],
    ['alter table pipelines alter column name drop not null', ['may be null now: pipelines.name']],
    ['alter table jobs alter column priority drop default', ['has no default any more: jobs.priority']],
    ['alter table jobs alter column priority type bigint', ['has another type: jobs.priority']],
    ['create unique index on users (name)', ['is refused now: users: unique index btree (name)']],
    ['alter table users add unique (name)', ['is refused now: users: UNIQUE (name)']],
    ["alter table users add check (name <> '')", ["is refused now: users: CHECK ((name <> ''::text))"]],
    ['create index on users (name)', []],
    ['create table weights (id uuid primary key, job_id uuid not null unique)', []],
  ])('of "%s" replicas of the last release would notice %j', async (statement, noticed) => {
    await pglite.exec('begin');
    try {
      const current = await readSchemaFacts(query);
      await pglite.exec(statement);
      expect(brokenBy(current, await readSchemaFacts(query))).toEqual(noticed);
    } finally {
      await pglite.exec('rollback');
    }
  });

  test('since the last release each table that was there is changed by a migration of its own, which waits for it shortly', async () => {
    const later = (await loadMigrations()).filter(({ name }) => name > lastReleased);
    expect(later.length).toBeGreaterThan(0);
    const changing = later.filter(({ name }) => /alter table/i.test(readFileSync(`src/migrations/${name}.ts`, 'utf8')));
    expect(changing.length).toBeGreaterThan(0);
    expect(changing.filter((each) => !(each.class.prototype instanceof ShortLockMigration))).toEqual([]);
  });

  test('replicas from before URL tokens were sealed still create pipelines, end jobs and send commit statuses', async () => {
    const [id, organization, webhook, badge] = [randomUUID(), randomUUID(), 'w'.repeat(50), 'b'.repeat(50)];
    await pglite.query(
      `insert into pipelines (id, organization_id, slug, name, repository, default_branch, provider_id, webhook_token, badge_token, created_at, updated_at)
       values ($1, $2, 'deploy', 'Deploy', 'git@example.com:deploy.git', 'main', 'github', $3, $4, now(), now())`,
      [id, organization, webhook, badge],
    );
    expect(await query('select webhook_token_hash, badge_token_hash, webhook_token from pipelines')).toEqual([
      { webhook_token_hash: hashToken(webhook), badge_token_hash: hashToken(badge), webhook_token: webhook },
    ]);
    await pglite.query(`update jobs set state = 'limited', limited_at = now() where id = $1`, [id]);
    await pglite.query(`update agents set last_job_finished_at = now(), last_job_passed_at = now() where id = $1`, [
      id,
    ]);
    await pglite.query(
      `update commit_statuses set sent_state = 'success', next_attempt_at = null where build_id = $1`,
      [id],
    );
  });
});
