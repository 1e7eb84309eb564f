import { sql } from 'kysely';
import { DeletionPurge } from '../../src/background/deletions/purge-deletions.js';
import { SizeCount } from '../../src/background/retention/sizes/size-count.js';
import { planRetention } from '../../src/background/retention/pass/plan.js';
import { Retention } from '../../src/background/retention/pass/pass.js';
import { newHolder, releaseLease } from '../../src/core/lease.js';
import { passLease } from '../../src/background/retention/pass/pass-lease.js';
import { buildFolder } from '../../src/core/build-folder.js';
import type { Gone, RetentionReport } from '../../src/domain/retention/pass.js';
import type { PipelineRetention } from '../../src/domain/retention/policy.js';
import type { BuildRow, PipelineRow, TableName } from '../../src/entities/database.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { pinBuild } from '../../src/operations/builds/pin.js';
import { unpinBuild } from '../../src/operations/builds/unpin.js';
import { rebuildBuild } from '../../src/operations/builds/rebuild.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { getStorage } from '../../src/operations/organizations/get-storage.js';
import { deletePipeline } from '../../src/operations/pipelines/delete.js';
import { updatePipelineSettings } from '../../src/operations/organizations/update-pipeline-settings.js';
import type { Services } from '../../src/services/services.js';
import { ArtifactWorld } from '../support/artifact-world.js';
import { onPostgres } from '../support/database.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import { ScriptedAgent } from '../support/scripted-agent.js';
import { testUnless } from '../support/skips.js';
import type { World } from '../support/world.js';

const day = 86_400;

let on: ArtifactWorld;
let world: World;
let agent: ScriptedAgent;
beforeEach(async () => {
  on = await ArtifactWorld.create();
  world = on.world;
  agent = await ScriptedAgent.connected(on.app, world.agentToken);
});
afterEach(() => on.close());

interface Made extends BuildRow {
  job: string;
  artifact: string;
}

/** A build with a log and an artifact, run by the agent. */
async function made(
  { id, slug }: PipelineRow,
  { branch = 'main', exitStatus = '0', says = 'log of' } = {},
): Promise<Made> {
  const fields = { pipeline: { id }, commit: 'HEAD', branch };
  const { build } = await world.perform(world.admin, createBuild, fields);
  const job = await agent.takeJob();
  await agent.chunk(job, 1, 0, `${says} ${build.number}\n`).expect(201);
  const [artifact = ''] = await on.upload({ agent, job, build, slug }, { 'out.txt': `result ${build.number}` });
  await agent.finish(job, { exit_status: exitStatus }).expect(200);
  await runUntilIdle(world.services);
  return { ...build, job, artifact };
}

const pipelineWith = (retention: PipelineRetention | null) =>
  world.pipeline('steps: [{ command: make }]', {
    retention: retention && (sql`${JSON.stringify(retention)}::jsonb` as never),
  });
const numbersOf = async ({ id }: PipelineRow) =>
  (
    await world.services.db
      .selectFrom('builds')
      .select('number')
      .where('pipelineId', '=', id)
      .orderBy('number')
      .execute()
  ).map(({ number }) => number);
const rowsOf = async (table: TableName): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(table)}`.execute(
    world.services.db,
  );
  return rows[0]?.count ?? 0;
};
const keys = async () => {
  const found: string[] = [];
  for await (const { key } of world.services.storage.list('organizations/')) found.push(key);
  return found;
};

/** A whole pass, as a server makes it. */
async function pass(services: Services = world.services, signal?: AbortSignal): Promise<RetentionReport> {
  const retention = new Retention();
  const holder = 'test';
  for (let round = 0; round < 1_000; round += 1) {
    const outcome = await retention.advance(services, { holder, signal });
    if (typeof outcome === 'object') return outcome;
    expect(outcome).toBe('under way');
  }
  throw new Error('the pass does not end');
}

const inOrder = (gone: readonly Gone[]) => [...gone].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));

describe('retention of builds', () => {
  test('deletes builds that are old, with everything below them, and never the last of a branch', async () => {
    const pipeline = await pipelineWith({ builds: { days: 30 } });
    for (const branch of ['main', 'main', 'feature', 'main']) await made(pipeline, { branch });
    await made(pipeline, { exitStatus: '1' });
    world.clock.advance(31 * day);
    agent = await ScriptedAgent.connected(on.app, world.agentToken);
    await made(pipeline, { branch: 'other' });

    const planned = await planRetention(world.services);
    const { gone } = await pass();
    expect(await numbersOf(pipeline)).toEqual([3, 4, 5, 6]);
    expect(gone).toMatchObject([{ kind: 'builds', organization: 'acme', owner: pipeline.slug, items: 2 }]);
    expect(inOrder(gone)).toEqual(inOrder(planned));
    expect(gone[0]?.bytes).toBeGreaterThan(0);
    expect(await rowsOf('jobs')).toBe(4);
    expect(await rowsOf('artifacts')).toBe(4);
    expect(await rowsOf('log_usage')).toBe(4);
    expect(new Set((await keys()).map((key) => key.split('/')[3])).size).toBe(4);
    expect(await rowsOf('retention_leftovers')).toBe(0);
    // Numbers are never given again.
    expect((await made(pipeline)).number).toBe(7);
    await pass();
    expect(await numbersOf(pipeline)).toEqual([3, 6, 7]);
    expect((await pass()).gone).toEqual([]);
  }, 30_000);

  test('spares what is pinned, running, or needed by a build that runs', async () => {
    const pipeline = await pipelineWith({ builds: { days: 30 } });
    const [pinned, plain, origin] = [await made(pipeline), await made(pipeline), await made(pipeline)];
    await made(pipeline);
    await world.perform(world.member, pinBuild, { build: { id: pinned.id }, reason: 'Release 1.0' });
    world.clock.advance(31 * day);
    const { id: running } = await world
      .perform(world.admin, rebuildBuild, { build: { id: origin.id } })
      .then(({ build }) => build);

    await pass();
    expect(await numbersOf(pipeline)).toEqual([1, 3, 4, 5]);
    expect(plain.number).toBe(2);
    await world.perform(world.member, unpinBuild, { build: { id: pinned.id } });
    await world.perform(world.admin, cancelBuild, { build: { id: running } });
    await pass();
    expect(await numbersOf(pipeline)).toEqual([4, 5]);
  }, 30_000);

  test('keeps a triggered build while the one that waits for it runs, and the other way round', async () => {
    const child = await world.pipeline('steps: [{ command: make }]', { slug: 'child' });
    const parent = await world.pipeline('steps: [{ trigger: child }, wait, { block: Go }]');
    const { build } = await world.perform(world.admin, createBuild, { pipeline: { id: parent.id }, useDefaults: true });
    await runUntilIdle(world.services);
    await agent.finish(await agent.takeJob()).expect(200);
    await runUntilIdle(world.services);
    await made(child);
    await made(child);
    const policy = { organization: { id: world.organization.id }, retention: { builds: { days: 1 } } };
    await world.perform(world.admin, updatePipelineSettings, policy);
    world.clock.advance(3 * day);
    await pass();
    // The block step of the parent waits for a person.
    expect(await numbersOf(child)).toEqual([1, 3]);
    await world.perform(world.admin, cancelBuild, { build: { id: build.id } });
    await pass();
    expect(await numbersOf(child)).toEqual([3]);
  }, 30_000);

  test('counts builds of the pipeline, and for an override those of the branch', async () => {
    const pipeline = await pipelineWith({
      builds: { count: 3 },
      overrides: [
        { branches: 'release/*', builds: { count: 2 } },
        { branches: 'feature/*', builds: { count: 1 }, last: false },
      ],
    });
    for (const branch of ['release/1', 'release/1', 'feature/a', 'main', 'feature/a', 'release/1', 'main', 'main'])
      await made(pipeline, { branch });
    world.clock.advance(2 * day);
    const planned = await planRetention(world.services);
    const { gone } = await pass();
    expect(inOrder(gone)).toEqual(inOrder(planned));
    // 6, 7 and 8 are the newest three; of release/1 the newest two stay, of feature/a the newest one.
    expect(await numbersOf(pipeline)).toEqual([2, 5, 6, 7, 8]);
  }, 30_000);
});

describe('retention of logs and artifacts', () => {
  test('takes the bytes and leaves the build; reads say so', async () => {
    const pipeline = await pipelineWith({ logs: { days: 7 }, artifacts: { days: 14 } });
    const old = await made(pipeline);
    await made(pipeline);
    const path = `/organizations/acme/pipelines/${pipeline.slug}/builds/${old.number}/jobs/${old.job}`;
    world.clock.advance(8 * day);
    let planned = await planRetention(world.services);
    expect(inOrder((await pass()).gone)).toEqual(inOrder(planned));
    expect(planned).toMatchObject([{ kind: 'logs', items: 1, rows: 3 }]);

    const { body: job } = await on.rest('get', path).expect(200);
    expect(job.log_expired_at).toBe(world.clock.now().toISOString());
    for (const form of ['', '.txt', '.html'])
      await on.rest('get', `${path}/log${form}`).expect(410, /"The log has expired: the retention policy/);
    expect((await keys()).filter((key) => key.includes(old.job) && key.includes('/log/'))).toEqual([]);
    expect((await on.rest('get', `${path}/artifacts`).expect(200)).body[0].state).toBe('finished');

    world.clock.advance(7 * day);
    planned = await planRetention(world.services);
    expect(inOrder((await pass()).gone)).toEqual(inOrder(planned));
    expect(planned).toMatchObject([{ kind: 'artifacts', items: 1, rows: 1, bytes: 'result 1'.length }]);
    expect((await on.rest('get', `${path}/artifacts`).expect(200)).body[0].state).toBe('expired');
    await on.rest('get', `${path}/artifacts/${old.artifact}/download`).expect(404);
    expect(await on.stored()).toHaveLength(1);
    expect(await numbersOf(pipeline)).toEqual([1, 2]);
    expect((await pass()).gone).toEqual([]);
  }, 30_000);

  test('what is kept of a failed log is found until its build goes', async () => {
    const pipeline = await pipelineWith({ logs: { days: 7 }, builds: { days: 14 } });
    await made(pipeline, { exitStatus: '1', says: 'error: storm' });
    await made(pipeline, { says: 'calm' });
    await made(pipeline, { exitStatus: '1' });
    const search = async (place: string) =>
      (await on.rest('get', `/organizations/acme/logs/search?q=storm&in=${place}`).expect(200)).body.matches.map(
        ({ build_number: build, text }: { build_number: number; text: string }) => `${build} ${text}`,
      );
    expect([await search('logs'), await search('extracts')]).toEqual([['1 error: storm 1'], ['1 error: storm 1']]);
    world.clock.advance(8 * day);
    await pass();
    expect([await search('logs'), await search('extracts')]).toEqual([[], ['1 error: storm 1']]);
    const path = `/organizations/acme/pipelines/${pipeline.slug}/builds/1`;
    const { body: build } = await on.rest('get', path).expect(200);
    const failure = await on.rest('get', `/organizations/acme/jobs/${build.jobs[0].id}/failure`).expect(200);
    expect(failure.body.lines).toMatchObject([{ line: 1, text: 'error: storm 1' }]);
    world.clock.advance(7 * day);
    await pass();
    expect(await numbersOf(pipeline)).toEqual([2, 3]);
    expect(await search('extracts')).toEqual([]);
  }, 30_000);

  test('a job that is retried later has a log of its own, which goes in its time', async () => {
    const pipeline = await pipelineWith({ logs: { days: 7 } });
    const old = await made(pipeline, { exitStatus: '1' });
    await made(pipeline);
    world.clock.advance(8 * day);
    await pass();
    agent = await ScriptedAgent.connected(on.app, world.agentToken);
    await world.perform(world.admin, retryJob, { job: { id: old.job } });
    const again = await agent.takeJob();
    await agent.chunk(again, 1, 0, 'again\n').expect(201);
    await agent.finish(again).expect(200);
    await runUntilIdle(world.services);
    const path = `/organizations/acme/pipelines/${pipeline.slug}/builds/1/jobs`;
    await pass();
    expect((await on.rest('get', `${path}/${again}/log`).expect(200)).body.content).toContain('again');
    await on.rest('get', `${path}/${old.job}/log`).expect(410);
    world.clock.advance(8 * day);
    await pass();
    await on.rest('get', `${path}/${again}/log`).expect(410);
    expect((await keys()).filter((key) => key.includes(again))).toEqual([]);
  }, 30_000);
});

describe('a pass', () => {
  test('that dies anywhere is taken up by another process, and nothing is left', async () => {
    const pipeline = await pipelineWith({ builds: { days: 30 } });
    const builds: Made[] = [];
    for (let count = 0; count < 5; count += 1) builds.push(await made(pipeline));
    world.clock.advance(31 * day);
    const planned = await planRetention(world.services);
    const dying: Services = {
      ...world.services,
      storage: new Proxy(world.services.storage, {
        get: (target, name) =>
          name === 'deletePrefix'
            ? () => Promise.reject(new Error('the process died here'))
            : (Reflect.get(target, name, target) as unknown),
      }),
    };
    await expect(pass(dying)).rejects.toThrow('died here');
    // The rows are gone, the bytes are not: nobody may forget them.
    expect(await numbersOf(pipeline)).toEqual([5]);
    expect(await rowsOf('retention_leftovers')).toBe(4);
    expect(
      (await keys()).filter((key) => key.includes(buildFolder(world.organization.id, builds[0]?.id ?? ''))),
    ).not.toEqual([]);

    // Another process waits for the end of the lease.
    const other = new Retention();
    expect(await other.advance(world.services, { holder: 'other' })).toBe('busy');
    world.clock.advance(61);
    for (let round = 0; round < 10; round += 1) await other.round(world.services);
    expect(await rowsOf('retention_leftovers')).toBe(0);
    expect(new Set((await keys()).map((key) => key.split('/')[3])).size).toBe(1);
    expect(planned).toMatchObject([{ kind: 'builds', items: 4 }]);
    expect(await planRetention(world.services)).toEqual([]);
  }, 30_000);

  test('is made once an hour, by one process at a time', async () => {
    const retention = new Retention();
    expect(await retention.round(world.services)).toBe(false);
    expect(world.services.retentionReport).toEqual({ endedAt: world.clock.now().toISOString(), gone: [] });
    const startedAt = async () =>
      (
        await world.services.db
          .selectFrom('retention_passes')
          .select('startedAt')
          .where('name', '=', 'retention')
          .executeTakeFirstOrThrow()
      ).startedAt;
    const first = await startedAt();
    world.clock.advance(3_000);
    await retention.round(world.services);
    expect(await startedAt()).toEqual(first);
    world.clock.advance(601);
    await retention.advance(world.services, { holder: 'someone' });
    expect(await new Retention().advance(world.services, { holder: 'other' })).toBe('busy');
    await releaseLease(world.services, passLease, 'someone');
    expect(await startedAt()).not.toEqual(first);
  });

  testUnless(
    onPostgres ? 'PostgreSQL has other processes' : null,
    'a pass of a process that died goes on at once, since the database is its successor’s alone',
    async () => {
      const leasedUntil = new Date(world.clock.now().getTime() + 10_000);
      await world.services.db
        .updateTable('retention_passes')
        .set({ leasedBy: 'the-process-before:1', leasedUntil })
        .execute();
      expect(await new Retention().advance(world.services, { holder: newHolder() })).not.toBe('busy');
      expect(await new Retention().advance(world.services, { holder: newHolder() })).toBe('busy');
      await world.services.db.updateTable('retention_passes').set({ leasedBy: null, leasedUntil: null }).execute();
    },
  );

  test('takes more builds than one page and one transaction hold', async () => {
    const pipeline = await pipelineWith({ builds: { days: 30 } });
    const original = await made(pipeline);
    await sql`insert into builds (id, organization_id, pipeline_id, number, state, commit, branch, source, created_at, finished_at)
      select gen_random_uuid(), organization_id, pipeline_id, n, 'passed', commit, branch, source, created_at, finished_at
      from builds, generate_series(2, 1300) as n where id = ${original.id}`.execute(world.services.db);
    world.clock.advance(31 * day);
    const planned = await planRetention(world.services);
    const { gone } = await pass();
    expect(gone).toEqual(planned);
    expect(gone).toMatchObject([{ items: 1299 }]);
    expect(await numbersOf(pipeline)).toEqual([1300]);
  }, 30_000);

  test('goes on beside the purge of a deleted pipeline', async () => {
    const pipeline = await pipelineWith({ builds: { days: 30 } });
    for (let count = 0; count < 3; count += 1) await made(pipeline);
    world.clock.advance(31 * day);
    await world.perform(world.admin, deletePipeline, { pipeline: { id: pipeline.id } });
    expect((await pass()).gone).toEqual([]);
    const purge = new DeletionPurge();
    while (await purge.round(world.services));
    expect(await rowsOf('builds')).toBe(0);
  }, 30_000);
});

describe('retention of the rest', () => {
  test('runs of suites, audit events, agents that are gone, groups that no job names, messages set aside', async () => {
    const { db } = world.services;
    const suiteId = await world.insert('suites', {
      organizationId: world.organization.id,
      slug: 'unit',
      name: 'Unit',
      defaultBranch: 'main',
      tokenHash: 'x',
    });
    await db
      .insertInto('suite_runs')
      .values(
        ['a', 'b'].map((key) => ({
          id: world.system().newId(),
          organizationId: world.organization.id,
          suiteId,
          key,
          state: key === 'a' ? ('finished' as const) : ('running' as const),
          result: 'passed' as const,
          createdAt: world.clock.now(),
          lastUploadAt: world.clock.now(),
        })),
      )
      .execute();
    await db
      .insertInto('concurrency_groups')
      .values({ organizationId: world.organization.id, name: 'deploy' })
      .execute();
    await db
      .insertInto('outbox_messages')
      .values({
        id: world.system().newId(),
        topic: 'objects.delete',
        payload: {},
        availableAt: world.clock.now(),
        failedAt: world.clock.now(),
        createdAt: world.clock.now(),
      })
      .execute();
    const policy = { runs: { days: 30 }, audit: { days: 60 } };
    await world.perform(world.admin, updatePipelineSettings, {
      organization: { id: world.organization.id },
      retention: policy,
    });
    await agent.call('post', '/disconnect').expect(200);
    const services = { ...world.services, retention: { agents: 30 } };
    world.clock.advance(91 * day);
    await ScriptedAgent.connected(on.app, world.agentToken);

    const planned = await planRetention(services);
    const { gone } = await pass(services);
    expect(inOrder(gone)).toEqual(inOrder(planned));
    expect(gone.map(({ kind, organization, owner, items }) => [kind, organization, owner, items])).toEqual([
      ['runs', 'acme', 'unit', 1],
      ['audit', 'acme', null, 1],
      ['agents', null, null, 1],
      ['groups', null, null, 1],
      ['messages', null, null, 1],
    ]);
    expect(await db.selectFrom('suite_runs').select('key').execute()).toEqual([{ key: 'b' }]);
    expect(await rowsOf('agents')).toBe(1);
    expect(await rowsOf('concurrency_groups')).toBe(0);
    expect(await rowsOf('outbox_messages')).toBe(0);
    expect((await pass(services)).gone).toEqual([]);
  }, 30_000);
});

describe('sizes by kind and pipeline', () => {
  /** A whole count, as a server makes it. */
  async function count(services: Services = world.services): Promise<void> {
    const sizes = new SizeCount();
    while (await sizes.round(services));
  }

  test('are what there is when they are counted, once a day, and those of deleted pipelines are gone', async () => {
    const [pipeline, other] = [await pipelineWith(null), await pipelineWith(null)];
    const builds = [await made(pipeline), await made(pipeline)];
    await made(other);
    await count();
    const read = () => world.perform(world.admin, getStorage, { organization: { id: world.organization.id } });
    const { countedAt, totals, pipelines } = await read();
    expect(countedAt).toEqual(world.clock.now());
    expect(pipelines.map(({ slug }) => slug).sort()).toEqual([pipeline.slug, other.slug].sort());
    const own = pipelines.find(({ id }) => id === pipeline.id)?.sizes;
    expect(own?.artifacts).toEqual({ rows: 2, bytes: 'result 1'.length * 2 });
    const { bytes } = await world.services.db
      .selectFrom('log_chunks')
      .innerJoin('jobs as j', 'j.id', 'log_chunks.jobId')
      .select(sql<number>`sum(stored_size)::int`.as('bytes'))
      .where('j.pipelineId', '=', pipeline.id)
      .executeTakeFirstOrThrow();
    expect(own?.logs).toEqual({ rows: 6, bytes });
    const below = ['jobs', 'steps', 'events'] as const;
    const rows = await Promise.all(
      below.map(async (table) => {
        const { count } = await world.services.db
          .selectFrom(table)
          .select(sql<number>`count(*)::int`.as('count'))
          .where(
            'buildId',
            'in',
            builds.map(({ id }) => id),
          )
          .executeTakeFirstOrThrow();
        return count;
      }),
    );
    expect(own?.builds?.rows).toBe(rows.reduce((sum, count) => sum + count, builds.length));
    expect(totals.artifacts?.rows).toBe(3);
    expect(totals.audit?.rows).toBe(await rowsOf('audit_events'));

    await made(pipeline);
    await count();
    expect((await read()).totals.artifacts?.rows).toBe(3);
    // A process that counts holds up nothing that another deletes, and is the only one that counts.
    world.clock.advance(1);
    const [counting, since] = [new SizeCount(), world.clock.now()];
    await counting.advance(world.services, { holder: 'counting', since, anew: true });
    expect(await new SizeCount().advance(world.services, { holder: 'other', since })).toBe('busy');
    await pass();
    await counting.release(world.services, 'counting');
    expect((await read()).totals.artifacts?.rows).toBe(4);
    await made(pipeline);
    world.clock.advance(day + 1);
    await count();
    expect((await read()).totals.artifacts?.rows).toBe(5);
    await world.perform(world.admin, deletePipeline, { pipeline: { id: other.id } });
    expect((await read()).totals.artifacts?.rows).toBe(4);
    await expect(world.perform(world.member, getStorage, { organization: { slug: 'acme' } })).rejects.toMatchObject({
      code: 'forbidden',
    });
  }, 30_000);
});
