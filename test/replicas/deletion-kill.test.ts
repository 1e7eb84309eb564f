import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { buildFolder } from '../../src/core/build-folder.js';
import { type OpenDatabase, openDatabase } from '../../src/database/open.js';
import { recountPipelines } from '../../src/loaders/pipeline-counts.js';
import { openStorage } from '../../src/storage/open-storage.js';
import { describeOnPostgres, migrateDataDirectory, temporaryDirectory } from '../support/database.js';
import { ownDatabase } from './evidence.js';
import { Replica, userToken } from './installation.js';

/** `DELETED_BUILDS=37500` measures the deletion that once took a minute in one transaction. */
const builds = Number(process.env['DELETED_BUILDS'] ?? 3_000);
const kills = 2;
const foldersWithBytes = 20;

const request = (replica: Replica, method: string, path: string, body?: object) =>
  fetch(`${replica.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${userToken}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/**
 * Builds with a step, a job, events and meta-data each, as the server would have left them; every tenth is not
 * finished.
 */
async function insertBuilds({ db }: OpenDatabase, directory: string, slug: string, count: number): Promise<void> {
  const pipeline = await db.selectFrom('pipelines').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow();
  const { id, organizationId, clusterId } = pipeline;
  await sql`insert into builds (id, organization_id, pipeline_id, number, state, message, commit, branch, source, created_at)
    select gen_random_uuid(), ${organizationId}, ${id}, n, case when n % 10 = 0 then 'running' else 'passed' end, 'Change', 'HEAD', 'main', 'api', now() from generate_series(1, ${count}::int) n`.execute(
    db,
  );
  const ofBuilds = sql`from builds b where b.pipeline_id = ${id}`;
  await sql`insert into steps (id, organization_id, build_id, type, label, position, definition, created_at)
    select gen_random_uuid(), b.organization_id, b.id, 'command', 'Step', 1, '{"type": "command"}', now() ${ofBuilds}`.execute(
    db,
  );
  await sql`insert into jobs (id, organization_id, pipeline_id, build_id, step_id, type, position, state, passed, label, command, cluster_id, created_at)
    select gen_random_uuid(), s.organization_id, b.pipeline_id, b.id, s.id, 'command', 1, case when b.state = 'running' then 'scheduled' else 'finished' end, true, 'Step', 'true', ${clusterId}, now()
    from steps s join builds b on b.id = s.build_id where b.pipeline_id = ${id}`.execute(db);
  await sql`insert into events (id, organization_id, subject, subject_id, pipeline_id, build_id, type, actor_type, sequence, created_at)
    select gen_random_uuid(), b.organization_id, 'build', b.id, b.pipeline_id, b.id, 'build.create', 'system', n, now() from builds b, generate_series(1, 4) n where b.pipeline_id = ${id}`.execute(
    db,
  );
  await sql`insert into build_meta_data (organization_id, build_id, key, value) select b.organization_id, b.id, 'a', 'b' ${ofBuilds}`.execute(
    db,
  );
  await db
    .updateTable('pipelines')
    .set({ nextBuildNumber: count + 1 })
    .where('id', '=', id)
    .execute();
  const some = await db
    .selectFrom('builds')
    .select('id')
    .where('pipelineId', '=', id)
    .limit(foldersWithBytes)
    .execute();
  const storage = await openStorage(`file:${directory}/objects`, { dataDir: directory });
  for (const build of some) await storage.put(`${buildFolder(organizationId, build.id)}x`, Buffer.from('x'));
}

/** Builds yet to be purged as the metrics say; null once the deletion is done. */
async function remaining(replica: Replica): Promise<number | null> {
  const text = await (await request(replica, 'GET', '/metrics')).text();
  const value = (name: string) => Number(new RegExp(`^${name}\\{resource="pipeline"\\} (\\d+)`, 'm').exec(text)?.[1]);
  return value('slipway_deletions') === 0 ? null : value('slipway_deletion_remaining');
}

/**
 * Deletes the pipeline, kills the server while it purges and lets it end; returns how the rest was served meanwhile.
 */
async function deleteUnderKills(replica: Replica): Promise<{ replyMs: number; slowestMs: number; purgeMs: number }> {
  const begin = performance.now();
  const reply = await request(replica, 'DELETE', '/v2/organizations/acme/pipelines/doomed');
  const replyMs = performance.now() - begin;
  expect(reply.status).toBe(204);
  expect((await request(replica, 'GET', '/v2/organizations/acme/pipelines/doomed')).status).toBe(404);
  const again = { name: 'Doomed', repository: 'git@example.com:a/b.git', configuration: 'steps: []' };
  expect((await request(replica, 'POST', '/v2/organizations/acme/pipelines', again)).status).toBe(201);
  let slowestMs = 0;
  let killed = 0;
  for (let last = Infinity; ;) {
    const sent = performance.now();
    const listed = await request(replica, 'GET', '/v2/organizations/acme/builds?per_page=5');
    slowestMs = Math.max(slowestMs, performance.now() - sent);
    expect([
      listed.status,
      ((await listed.json()) as { pipeline: { slug: string } }[]).map((each) => each.pipeline.slug),
    ]).toEqual([200, Array(5).fill('other')]);
    const left = await remaining(replica);
    if (left === null) break;
    if (killed < kills && left > 0 && left < last && left < builds) {
      await replica.kill();
      await replica.restart();
      killed += 1;
      last = left;
    }
    await sleep(50);
  }
  expect(killed).toBe(kills);
  return { replyMs, slowestMs, purgeMs: performance.now() - begin };
}

async function check({ db }: OpenDatabase, directory: string): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from builds)::int as count union all select (select count(*) from steps)::int
    union all select (select count(*) from jobs)::int union all select (select count(*) from build_meta_data)::int
    union all select (select count(*) from deletions)::int`.execute(db);
  expect(rows.map(({ count }) => count)).toEqual([10, 10, 10, 10, 0]);
  expect(await recountPipelines(db, { correct: false })).toEqual([]);
  const storage = await openStorage(`file:${directory}/objects`, { dataDir: directory });
  const kept = await db.selectFrom('builds').select('id').execute();
  const folders: string[] = [];
  for await (const { key } of storage.list('organizations/')) folders.push(key.split('/')[3] ?? '');
  expect(folders.sort()).toEqual(kept.map(({ id }) => id).sort());
}

async function story(directory: string, env: Record<string, string>, open: () => Promise<OpenDatabase>): Promise<void> {
  const replica = await Replica.start(directory, { ...env, DATA_DIR: directory });
  try {
    for (const name of ['Doomed', 'Other'])
      await request(replica, 'POST', '/v2/organizations/acme/pipelines', {
        name,
        repository: 'git@example.com:a/b.git',
        configuration: 'steps: [{ command: "true" }]',
      });
    await replica.stop();
    const before = await open();
    await insertBuilds(before, directory, 'doomed', builds);
    await insertBuilds(before, directory, 'other', 10);
    await before.close();
    await replica.restart();
    const figures = await deleteUnderKills(replica);
    if (process.env['DELETED_BUILDS']) process.stderr.write(`${builds} builds: ${JSON.stringify(figures)}\n`);
    await replica.stop();
    const after = await open();
    await check(after, directory);
    await after.close();
  } finally {
    await replica.kill();
  }
}

const patienceMs = builds > 10_000 ? 1_500_000 : 240_000;

describe('a deletion that is purged under kill -9 on the embedded database', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());

  test(
    'is accepted at once, goes on after each start until nothing is left, and other requests are served',
    async () => {
      await migrateDataDirectory(directory.path);
      await story(directory.path, {}, () => openDatabase({ dataDir: directory.path }));
    },
    patienceMs,
  );
});

describeOnPostgres('a deletion that is purged under kill -9 on PostgreSQL', () => {
  const directory = temporaryDirectory();
  afterAll(() => directory.remove());

  test(
    'is accepted at once, goes on after each start until nothing is left, and other requests are served',
    async () => {
      const own = await ownDatabase(process.env['TEST_DATABASE_URL'] ?? '', `slipway_deletion_${process.pid}`);
      try {
        await story(directory.path, { DATABASE_URL: own.url }, () =>
          openDatabase({ databaseUrl: own.url, dataDir: directory.path }),
        );
      } finally {
        await own.drop();
      }
    },
    patienceMs,
  );
});
