import { sql } from 'kysely';
import { runUntilIdle } from '../support/run-until-idle.js';
import { countDeletions, DeletionPurge } from '../../src/background/deletions/purge-deletions.js';
import { buildFolder } from '../../src/core/build-folder.js';
import { perform } from '../../src/core/operation.js';
import { columnsByTable } from '../../src/entities/columns-by-table.js';
import type { BuildRow, PipelineRow } from '../../src/entities/database.js';
import { deleteCluster } from '../../src/operations/agents/clusters/delete.js';
import { updatePipelineSettings } from '../../src/operations/organizations/update-pipeline-settings.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { deleteOrganization } from '../../src/operations/organizations/delete.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import { deleteSuite } from '../../src/operations/suites/delete.js';
import type { Services } from '../../src/services/services.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import { twentyOfEverything } from '../support/twenty-of-everything.js';
import { World } from '../support/world.js';

let world: World;
beforeEach(async () => void (world = await World.create()));
afterEach(() => world.close());

const build = async ({ id }: PipelineRow): Promise<BuildRow> =>
  (await world.perform(world.member, createBuild, { pipeline: { id }, useDefaults: true })).build;
const remove = ({ id }: { id: string }) => world.perform(world.admin, deletePipeline, { pipeline: { id } });
const rowsOf = async (table: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    world.services.db,
  );
  return rows[0]?.count ?? 0;
};

/** Many builds with a job, a step and some events each, as copies of one. */
async function copies(original: BuildRow, count: number): Promise<void> {
  const { db } = world.services;
  const id = (kind: number) => sql.raw(`md5('${kind} ' || n || ' ' || id)::uuid`);
  const many = sql`generate_series(2, ${count}) as n`;
  for (const [table, kind, overrides] of [
    ['builds', 1, { number: sql`n`, state: sql`'passed'` }],
    ['steps', 2, { buildId: sql`md5('1 ' || n || ' ' || build_id)::uuid` }],
    ['jobs', 3, { buildId: sql`md5('1 ' || n || ' ' || build_id)::uuid`, state: sql`'finished'` }],
    [
      'events',
      4,
      { buildId: sql`md5('1 ' || n || ' ' || build_id)::uuid`, ordinal: sql`default`, position: sql`null` },
    ],
  ] as const) {
    const columns = (columnsByTable[table]?.all ?? []).filter((name) => name !== 'ordinal');
    const stored = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    const value = (name: string) =>
      name === 'id' ? id(kind) : ((overrides as Record<string, unknown>)[name] ?? sql.ref(stored(name)));
    const where = table === 'builds' ? sql`id = ${original.id}` : sql`build_id = ${original.id}`;
    await sql`insert into ${sql.table(table)} (${sql.raw(columns.map((name) => `"${stored(name)}"`).join(', '))})
      select ${sql.join(columns.map(value))} from ${sql.table(table)}, ${many} where ${where}`.execute(db);
  }
}

describe('the purge of a deleted pipeline', () => {
  test('the deletion leaves the rows of builds alone; the purge takes them in many small transactions', async () => {
    const pipeline = await world.pipeline('steps: [{command: a}]');
    await copies(await build(pipeline), 250);
    await remove(pipeline);
    expect(await rowsOf('builds')).toBe(250);

    const { db } = world.services;
    await sql`create table purged (builds int)`.execute(db);
    await sql`create function note_purged() returns trigger language plpgsql as
      $body$ begin insert into purged select count(*) from gone; return null; end $body$`.execute(db);
    await sql`create trigger note_purged after delete on builds referencing old table as gone
      for each statement execute function note_purged()`.execute(db);
    await runUntilIdle(world.services);
    const { rows } = await sql<{ builds: number }>`select builds from purged`.execute(db);
    expect(rows.reduce((sum, { builds }) => sum + builds, 0)).toBe(250);
    expect(Math.max(...rows.map(({ builds }) => builds))).toBeLessThanOrEqual(100);
    for (const table of ['builds', 'jobs', 'steps', 'deletions'])
      expect([table, await rowsOf(table)]).toEqual([table, 0]);
  }, 60_000);

  test('the number of builds yet to be purged is known from the first round on, and goes down', async () => {
    const pipeline = await world.pipeline('steps: [{command: a}]');
    await copies(await build(pipeline), 120);
    await remove(pipeline);
    expect(await countDeletions(world.services)).toEqual([{ resource: 'pipeline', deletions: 1, remaining: 0 }]);
    const stopped = AbortSignal.abort();
    const purge = new DeletionPurge();
    const seen: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await purge.round(world.services, stopped);
      seen.push((await countDeletions(world.services))[0]?.remaining ?? -1);
    }
    expect(seen.at(-1)).toBe(120);
    await purge.round(world.services);
    const later = (await countDeletions(world.services))[0]?.remaining ?? 0;
    expect(later).toBeLessThan(120);
    expect(later).toBe(await rowsOf('builds'));
  }, 60_000);

  test('a process that dies with its lease leaves the rest to another one, as soon as the lease has ended', async () => {
    const pipeline = await world.pipeline('steps: [{command: a}]');
    const made = [await build(pipeline), await build(pipeline)];
    const { storage } = world.services;
    const keys = made.map(({ id }) => `${buildFolder(world.organization.id, id)}log`);
    for (const key of keys) await storage.put(key, Buffer.from('x'));
    await remove(pipeline);
    // Dies between the rows below the builds and the builds themselves: the bytes of the first are gone.
    let deletions = 0;
    const dying: Services = {
      ...world.services,
      storage: new Proxy(storage, {
        get: (target, name) =>
          name === 'deletePrefix'
            ? async (prefix: string) => {
                deletions += 1;
                if (deletions > 1) return new Promise(() => undefined);
                return target.deletePrefix(prefix);
              }
            : (Reflect.get(target, name, target) as unknown),
      }),
    };
    const purge = new DeletionPurge();
    void (async () => {
      while (await purge.round(dying));
    })();
    while (deletions < 2) await new Promise((done) => setTimeout(done, 5));
    expect(await rowsOf('jobs')).toBe(0);
    expect(await rowsOf('builds')).toBe(2);

    const other = new DeletionPurge();
    expect(await other.round(world.services)).toBe(false);
    world.clock.advance(6);
    await runUntilIdle(world.services);
    expect(await rowsOf('builds')).toBe(0);
    expect(await Promise.all(keys.map((key) => storage.stat(key)))).toEqual([null, null]);
  }, 30_000);

  test('storage that fails keeps the builds, and the purge goes on at growing pauses until it works', async () => {
    const pipeline = await world.pipeline('steps: [{command: a}]');
    await build(pipeline);
    await remove(pipeline);
    const messages: string[] = [];
    const failing: Services = {
      ...world.services,
      log: { ...world.services.log, error: (_fields, message) => void messages.push(message) },
      storage: new Proxy(world.services.storage, {
        get: (target, name) =>
          name === 'deletePrefix'
            ? () => Promise.reject(new Error('no storage'))
            : (Reflect.get(target, name, target) as unknown),
      }),
    };
    const purge = new DeletionPurge();
    while (await purge.round(failing));
    expect(messages).toEqual(['a deletion could not be purged']);
    expect(await rowsOf('builds')).toBe(1);
    world.clock.advance(1);
    while (await purge.round(failing));
    expect(await world.services.db.selectFrom('deletions').select(['attempts', 'lastError']).execute()).toEqual([
      { attempts: 2, lastError: 'Error: no storage' },
    ]);
    world.clock.advance(2);
    await runUntilIdle(world.services);
    expect(await rowsOf('builds')).toBe(0);
  });

  test('an agent whose job belonged to it is refused as by its job token, and gets other work at once', async () => {
    const app = agentApp(world);
    const pipeline = await world.pipeline('steps: [{command: a}]');
    const kept = await world.pipeline('steps: [{command: b}]');
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await build(pipeline);
    const { job } = await agent.ping();
    const accepted = await agent.call('put', `/jobs/${job?.id}/accept`).expect(200);
    await remove(pipeline);
    const token = (accepted.body as { token: string }).token;
    await agent.call('get', `/jobs/${job?.id}`, token).expect(401);
    await agent.call('get', `/jobs/${job?.id}`).expect(404);
    const other = await build(kept);
    const next = await agent.ping();
    expect(next.job).toBeDefined();
    const row = await world.services.db
      .selectFrom('jobs')
      .select('buildId')
      .where('id', '=', next.job?.id ?? '')
      .executeTakeFirst();
    expect(row).toEqual({ buildId: other.id });
  });

  test('jobs of other pipelines get the slots of a concurrency group that jobs of it had', async () => {
    const steps = 'steps: [{command: a, concurrency: 1, concurrency_group: line}]';
    const [deleted, kept] = [await world.pipeline(steps), await world.pipeline(steps)];
    await build(deleted);
    const waits = await build(kept);
    await runUntilIdle(world.services);
    const stateOf = async () =>
      (
        await world.services.db
          .selectFrom('jobs')
          .select('state')
          .where('buildId', '=', waits.id)
          .executeTakeFirstOrThrow()
      ).state;
    expect(await stateOf()).toBe('limited');
    await remove(deleted);
    await runUntilIdle(world.services);
    expect(await stateOf()).toBe('scheduled');
  });
});

test('a deleted suite and its runs, tests and executions are purged', async () => {
  await twentyOfEverything(world);
  const suites = await world.services.db.selectFrom('suites').select('id').execute();
  expect(await rowsOf('suite_executions')).toBeGreaterThan(0);
  for (const { id } of suites) await world.perform(world.admin, deleteSuite, { suite: { id } });
  await runUntilIdle(world.services);
  for (const table of ['suites', 'suite_runs', 'suite_tests', 'suite_executions', 'suite_uploads', 'team_suites'])
    expect([table, await rowsOf(table)]).toEqual([table, 0]);
}, 60_000);

test('agents of a deleted cluster are purged, and its slate is clean', async () => {
  const agent = await ScriptedAgent.connected(agentApp(world), world.agentToken);
  await agent.call('post', '/disconnect').expect(200);
  await world.perform(world.admin, updatePipelineSettings, { organization: { slug: 'acme' }, defaultClusterId: null });
  await world.perform(world.admin, deleteCluster, { cluster: { id: world.clusterId } });
  await agent.call('post', '/connect').expect(401);
  await runUntilIdle(world.services);
  for (const table of ['agents', 'cluster_queues', 'agent_tokens', 'deletions'])
    expect([table, await rowsOf(table)]).toEqual([table, 0]);
});

/** Rows of an organization, by the tables that name it; effects of the outbox are carried out all the same. */
async function countsOf(organizationId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, { all }] of Object.entries(columnsByTable)) {
    if (!all.includes('organizationId') || table === 'outbox_messages' || table === 'deletions') continue;
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from ${sql.table(table)} where organization_id = ${organizationId}`.execute(
      world.services.db,
    );
    counts[table] = rows[0]?.count ?? 0;
  }
  return counts;
}

/** Inserts a row of any value where a table has none: a new table is purged too, or the test fails. */
async function fillEmptyTables(organizationId: string): Promise<void> {
  const { db } = world.services;
  const parents = ['pipeline', 'build', 'job', 'suite', 'cluster', 'team', 'user'].map((name) => [
    `${name}_id`,
    `${name}s`,
  ]);
  parents.push(['run_id', 'suite_runs'], ['test_id', 'suite_tests']);
  const ofParent = new Map(parents.map(([column = '', table = '']) => [column, table]));
  const ofType: Readonly<Record<string, string>> = {
    uuid: 'gen_random_uuid()',
    text: `'x'`,
    'timestamp with time zone': 'now()',
    boolean: 'false',
    bytea: `'\\x00'`,
    jsonb: `'{}'`,
    ARRAY: `'{}'`,
  };
  for (const [table, count] of Object.entries(await countsOf(organizationId))) {
    if (count > 0) continue;
    const { rows } = await sql<{ name: string; type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${table} and is_nullable = 'NO' and column_default is null`.execute(
      db,
    );
    const value = ({ name, type }: { name: string; type: string }) => {
      if (name === 'organization_id') return sql`${organizationId}::uuid`;
      const parent = ofParent.get(name);
      const anyId = parent && sql.table(parent);
      return anyId ? sql`(select id from ${anyId} limit 1)` : sql.raw(ofType[type] ?? '1');
    };
    await sql`insert into ${sql.table(table)} (${sql.raw(rows.map(({ name }) => name).join(', '))})
      values (${sql.join(rows.map(value))})`.execute(db);
  }
}

describe('a deleted organization', () => {
  test('is gone at once for its members and agents, its slug is free, and the purge leaves nothing but the record', async () => {
    await twentyOfEverything(world);
    const app = agentApp(world);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const { services, organization, member } = world;
    await services.storage.put(`organizations/${organization.id}/builds/x/log`, Buffer.from('x'));
    await fillEmptyTables(organization.id);
    expect(Object.entries(await countsOf(organization.id)).filter(([, count]) => count === 0)).toEqual([]);
    const deleted = await perform(deleteOrganization, world.system(), { organization: { slug: 'acme' } });
    expect(deleted.pipelines).toBeGreaterThan(0);
    expect((await world.as(member)).actor).toMatchObject({ roles: new Map() });
    await agent.call('get', '/ping').expect(401);
    await agent.call('post', '/register', world.agentToken).send({ name: 'x' }).expect(401);
    await world.insert('organizations', { slug: 'acme', name: 'Another' });
    await runUntilIdle(services);

    const left = await countsOf(organization.id);
    expect(Object.fromEntries(Object.entries(left).filter(([, count]) => count > 0))).toEqual({ events: 1 });
    for await (const { key } of services.storage.list(`organizations/${organization.id}/`)) throw new Error(key);
    expect(await services.db.selectFrom('users').select('id').where('id', '=', member.id).execute()).toHaveLength(1);
  }, 60_000);
});
