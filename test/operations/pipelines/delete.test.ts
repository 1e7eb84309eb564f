import { runUntilIdle } from '../../support/run-until-idle.js';
import { flush } from '../../../src/request/record-events.js';
import { inTransaction } from '../../../src/database/transaction.js';
import type { BuildRow, PipelineRow } from '../../../src/entities/database.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { buildFolder } from '../../../src/core/build-folder.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { favoritePipeline } from '../../../src/operations/pipelines/favorite.js';
import { getPipeline } from '../../../src/operations/pipelines/get.js';
import { startTrigger } from '../../../src/engine/triggers/start-trigger-job.js';
import { logFolder } from '../../../src/storage/logs/chunk-index.js';
import { describeOnPostgres } from '../../support/database.js';
import { refusal } from '../../support/refusal.js';
import { World } from '../../support/world.js';

describe('deleting a pipeline', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const build = async ({ id }: PipelineRow): Promise<BuildRow> =>
    (await world.perform(world.member, createBuild, { pipeline: { id }, useDefaults: true, metaData: { a: 'b' } }))
      .build;
  const remove = ({ id }: PipelineRow) => world.perform(world.member, deletePipeline, { pipeline: { id } });
  const tables = [
    'builds',
    'jobs',
    'steps',
    'build_meta_data',
    'log_chunks',
    'log_header_times',
    'log_filters',
    'log_extracts',
    'passed_logs',
    'team_pipelines',
    'pipeline_favorites',
  ] as const;
  const counts = async () =>
    Promise.all(
      tables.map(
        async (table) => (await world.services.db.selectFrom(table).select('organizationId').execute()).length,
      ),
    );
  const messages = (topic: string) =>
    world.services.db.selectFrom('outbox_messages').select('payload').where('topic', '=', topic).execute();

  test("the purge of a deleted pipeline deletes all its rows and bytes, and no other's", async () => {
    const { db } = world.services;
    const kept = await world.pipeline('steps: [{command: keep}]');
    await build(kept);
    const before = await counts();
    const pipeline = await world.pipeline(
      'steps: [{command: a, concurrency: 1, concurrency_group: shared}, {command: b}]',
    );
    const made = [await build(pipeline), await build(pipeline)];
    const job = await db.selectFrom('jobs').selectAll().where('pipelineId', '=', pipeline.id).executeTakeFirstOrThrow();
    await db
      .insertInto('log_chunks')
      .values({
        jobId: job.id,
        startOffset: 0,
        organizationId: job.organizationId,
        sequence: 1,
        size: 1,
        storedKey: `${buildFolder(job.organizationId, job.buildId)}log`,
        storedSize: 1,
      })
      .execute();
    await db
      .insertInto('log_header_times')
      .values({ jobId: job.id, headerIndex: 0, organizationId: job.organizationId, nanoseconds: '1' })
      .execute();
    await db
      .insertInto('log_filters')
      .values({
        jobId: job.id,
        startOffset: 0,
        organizationId: job.organizationId,
        size: 1,
        firstLine: 0,
        trigrams: Buffer.alloc(16),
      })
      .execute();
    const { id: jobId, organizationId } = job;
    await db
      .insertInto('log_extracts')
      .values({ jobId, organizationId, pipelineId: pipeline.id, content: 'x', places: [[0, 'error']] })
      .execute();
    await db
      .insertInto('passed_logs')
      .values({
        jobId,
        organizationId,
        pipelineId: pipeline.id,
        step: 'x',
        isDefaultBranch: true,
        hashes: Buffer.alloc(8),
        createdAt: world.clock.now(),
      })
      .execute();
    await world.perform(world.member, favoritePipeline, { pipeline: { id: pipeline.id }, favorite: true });
    const team = await world.insert('teams', { organizationId: world.organization.id, slug: 'team', name: 'Team' });
    await world.insert('team_pipelines', {
      organizationId: world.organization.id,
      teamId: team,
      pipelineId: pipeline.id,
      accessLevel: 'read_only',
    });
    const { storage } = world.services;
    const keys = made.map(({ id }) => `${buildFolder(world.organization.id, id)}log`);
    for (const key of keys) await storage.put(key, Buffer.from('x'));
    await db.deleteFrom('outbox_messages').execute();

    const deleted = await remove(pipeline);

    expect(deleted.pipeline).toMatchObject({ id: pipeline.id, slug: pipeline.slug });
    expect(await messages('concurrency.release')).toEqual([{ payload: { group: 'shared' } }]);
    await runUntilIdle(world.services);
    expect(await counts()).toEqual(before);
    expect(await Promise.all(keys.map((key) => storage.stat(key)))).toEqual([null, null]);
    expect(await refusal(world.perform(world.member, getPipeline, { pipeline: { id: pipeline.id } }))).toMatchObject({
      code: 'not_found',
    });
    expect(await refusal(remove(pipeline))).toMatchObject({ code: 'not_found' });
    const events = await db
      .selectFrom('events')
      .select(['type', 'buildId', 'data'])
      .where('pipelineId', '=', pipeline.id)
      .execute();
    expect(events).toEqual([
      { type: 'pipeline.delete', buildId: null, data: { slug: pipeline.slug, name: pipeline.name } },
    ]);
    expect(
      await db.selectFrom('audit_events').select('operation').where('subjectId', '=', pipeline.id).execute(),
    ).toEqual([{ operation: 'pipeline.delete' }]);
  });

  test('the storage folder of a build contains the logs of its jobs', () => {
    expect(logFolder({ organizationId: 'o', buildId: 'b', jobId: 'j' }).startsWith(buildFolder('o', 'b'))).toBe(true);
  });

  test('a trigger job that waits for a build of the deleted pipeline fails', async () => {
    const { db } = world.services;
    const child = await world.pipeline('steps: [{command: a}]', { slug: 'child' });
    const parent = await build(await world.pipeline('steps: [{trigger: child}]'));
    const job = await db.selectFrom('jobs').selectAll().where('buildId', '=', parent.id).executeTakeFirstOrThrow();
    await inTransaction(db, 'test', async (transaction) => {
      const context = world.system().withDb(transaction);
      await startTrigger(context, job.id);
      await flush(context);
    });
    await remove(child);
    await runUntilIdle(world.services);
    expect(await db.selectFrom('jobs').select(['state', 'passed']).where('id', '=', job.id).executeTakeFirst()).toEqual(
      { state: 'finished', passed: false },
    );
    expect(await db.selectFrom('builds').select('state').where('id', '=', parent.id).executeTakeFirst()).toEqual({
      state: 'failed',
    });
    const reasons = await db
      .selectFrom('events')
      .select('reason')
      .where('jobId', '=', job.id)
      .where('toState', '=', 'finished')
      .execute();
    expect(reasons).toEqual([{ reason: 'triggered build deleted' }]);
  });

  test('of ten simultaneous deletions one succeeds, and the others answer 404', async () => {
    const pipeline = await world.pipeline('steps: [{command: a}]');
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => remove(pipeline)));
    const losses = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as { code?: string }).code] : [],
    );
    expect(losses).toEqual(Array(9).fill('not_found'));
  });

  test('an archived pipeline can be deleted, and a stranger gets the answer for an absent one', async () => {
    const pipeline = await world.pipeline('steps: []', { archivedAt: world.clock.now() });
    expect(
      await refusal(world.perform(world.outsider, deletePipeline, { pipeline: { id: pipeline.id } })),
    ).toMatchObject({ code: 'not_found', message: 'Not Found' });
    expect((await remove(pipeline)).pipeline.id).toBe(pipeline.id);
  });
});

describe('what is free at once', () => {
  test('name and slug of a deleted pipeline are free while its builds are purged, and numbers begin anew', async () => {
    const world = await World.create();
    const settings = { name: 'App', slug: 'app' };
    const first = await world.pipeline('steps: [{command: a}]', settings);
    const build = ({ id }: PipelineRow) =>
      world.perform(world.member, createBuild, { pipeline: { id }, useDefaults: true });
    await build(first);
    await world.perform(world.admin, deletePipeline, { pipeline: { id: first.id } });
    const second = await world.pipeline('steps: [{command: a}]', settings);
    expect((await build(second)).build.number).toBe(1);
    await runUntilIdle(world.services);
    const { db } = world.services;
    expect(await db.selectFrom('builds').select('pipelineId').execute()).toEqual([{ pipelineId: second.id }]);
    await world.close();
  });
});

describeOnPostgres('deleting a pipeline while builds of it are created', () => {
  test('deleting a pipeline while its builds are created leaves no rows, whichever comes first', async () => {
    const world = await World.create();
    const pipeline = await world.pipeline('steps: [{command: a}, wait, {command: b}]');
    const build = () => world.perform(world.member, createBuild, { pipeline: { id: pipeline.id }, useDefaults: true });
    await build();
    await Promise.allSettled([
      build(),
      build(),
      build(),
      world.perform(world.member, deletePipeline, { pipeline: { id: pipeline.id } }),
      build(),
      build(),
      build(),
    ]);
    await runUntilIdle(world.services);
    for (const table of ['pipelines', 'builds', 'jobs', 'steps'] as const) {
      expect([table, await world.services.db.selectFrom(table).select('id').execute()]).toEqual([table, []]);
    }
    await world.close();
  });
});
