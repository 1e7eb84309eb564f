import { sql } from 'kysely';
import { buildDueSchedules } from '../../src/background/builds/build-due-schedules.js';
import { createSchedule } from '../../src/operations/pipelines/schedules/create.js';
import { updateSchedule } from '../../src/operations/pipelines/schedules/update.js';
import { deleteSchedule } from '../../src/operations/pipelines/schedules/delete.js';
import type { NewRow } from '../../src/entities/database.js';
import { World } from '../support/world.js';

let world: World;
beforeAll(async () => (world = await World.create()));
afterAll(() => world.close());

const db = () => world.services.db;
const start = new Date('2026-03-01T00:00:30.000Z');

/** A pipeline with a schedule, alone in the world. */
async function scheduled(cronline: string, fields: object = {}, pipelineFields: Partial<NewRow<'pipelines'>> = {}) {
  await db().deleteFrom('pipeline_schedules').execute();
  world.clock.set(start);
  const pipeline = await world.pipeline('steps: [{ command: a }]', pipelineFields);
  const { pipelineSchedule } = await world.perform(world.admin, createSchedule, {
    pipeline: { id: pipeline.id },
    cronline,
    ...fields,
  });
  return { pipeline, id: pipelineSchedule.id as string };
}
const builds = (pipelineId: string) =>
  db().selectFrom('builds').selectAll().where('pipelineId', '=', pipelineId).orderBy('number').execute();
const now = (id: string) =>
  db().selectFrom('pipeline_schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const at = (time: string) => {
  world.clock.set(new Date(time));
  return buildDueSchedules(world.services);
};

test('a schedule creates one build per tick, however often it is checked', async () => {
  const { pipeline, id } = await scheduled('*/10 * * * *', { message: 'tick' });
  expect(await at('2026-03-01T00:09:59.999Z')).toBe(0);
  expect(await at('2026-03-01T00:10:00.000Z')).toBe(1);
  expect(await at('2026-03-01T00:10:00.000Z')).toBe(0);
  expect(await at('2026-03-01T00:20:01.000Z')).toBe(1);
  const made = await builds(pipeline.id);
  expect(
    made.map(({ number, source, message, creatorId, pipelineScheduleId, createdAt }) => ({
      number,
      source,
      message,
      creatorId,
      pipelineScheduleId,
      createdAt: createdAt.toISOString(),
    })),
  ).toEqual([
    {
      number: 1,
      source: 'schedule',
      message: 'tick',
      creatorId: null,
      pipelineScheduleId: id,
      createdAt: '2026-03-01T00:10:00.000Z',
    },
    {
      number: 2,
      source: 'schedule',
      message: 'tick',
      creatorId: null,
      pipelineScheduleId: id,
      createdAt: '2026-03-01T00:20:01.000Z',
    },
  ]);
  expect((await now(id)).nextBuildAt).toEqual(new Date('2026-03-01T00:30:00.000Z'));
  expect(
    await db()
      .selectFrom('events')
      .select('type')
      .where('pipelineId', '=', pipeline.id)
      .where('type', '=', 'build.create')
      .execute(),
  ).toHaveLength(2);
});

test('one build covers all ticks missed during a long outage', async () => {
  const { pipeline, id } = await scheduled('@hourly');
  expect(await at('2026-03-08T12:34:56.000Z')).toBe(1);
  expect(await at('2026-03-08T12:34:57.000Z')).toBe(0);
  expect(await builds(pipeline.id)).toHaveLength(1);
  expect((await now(id)).nextBuildAt).toEqual(new Date('2026-03-08T13:00:00.000Z'));
});

test('a schedule that cannot build is disabled with the reason, and builds again once enabled', async () => {
  const { pipeline, id } = await scheduled('*/10 * * * *', {}, { branchConfiguration: 'release/*' });
  expect(await at('2026-03-01T00:10:00.000Z')).toBe(1);
  expect(await builds(pipeline.id)).toEqual([]);
  expect(await now(id)).toMatchObject({
    enabled: false,
    nextBuildAt: null,
    failedAt: world.clock.now(),
    failedMessage: expect.stringContaining('Branch main has been disabled for this pipeline'),
  });
  expect(
    await db()
      .selectFrom('events')
      .select(['type', 'actorType'])
      .where('pipelineId', '=', pipeline.id)
      .where('type', '=', 'pipeline-schedule.fail')
      .execute(),
  ).toEqual([{ type: 'pipeline-schedule.fail', actorType: 'system' }]);
  expect(await at('2026-03-01T00:30:00.000Z')).toBe(0);
  await world.perform(world.admin, updateSchedule, { pipelineSchedule: { id }, branch: 'release/1', enabled: true });
  expect(await now(id)).toMatchObject({ enabled: true, failedAt: null, failedMessage: null });
  expect(await at('2026-03-01T00:40:00.000Z')).toBe(1);
  expect((await builds(pipeline.id)).map(({ branch }) => branch)).toEqual(['release/1']);
});

test.each<[string, Partial<NewRow<'pipelines'>>, RegExp]>([
  ['an archived pipeline', { archivedAt: start }, /archived/],
  ['an unreadable definition', { configuration: 'steps: [' }, /YAML/],
  [
    'a build above its sums',
    { configuration: `steps: [{ command: ${'x'.repeat(250_000)}, parallelism: 500 }]` },
    /steps\[0\] The texts of the jobs of a build together may have at most 16777216 bytes/,
  ],
])(
  '%s disables the schedule of its pipeline with the reason, and other schedules still build',
  async (_name, broken, message) => {
    const { pipeline, id } = await scheduled('*/10 * * * *');
    await db().updateTable('pipelines').set(broken).where('id', '=', pipeline.id).execute();
    const healthy = await world.pipeline('steps: [{ command: a }]');
    await world.perform(world.admin, createSchedule, { pipeline: { id: healthy.id }, cronline: '*/10 * * * *' });
    expect(await at('2026-03-01T00:10:00.000Z')).toBe(2);
    expect(await now(id)).toMatchObject({ enabled: false, failedMessage: expect.stringMatching(message) });
    expect(await builds(healthy.id)).toHaveLength(1);
  },
);

test('a schedule whose build cannot be stored does not delay others and is retried later', async () => {
  const { pipeline, id } = await scheduled('*/10 * * * *');
  await sql`alter table builds add constraint poison check (pipeline_id <> ${sql.lit(pipeline.id)})`.execute(db());
  try {
    expect(await at('2026-03-01T00:10:00.000Z')).toBe(0);
  } finally {
    await sql`alter table builds drop constraint poison`.execute(db());
  }
  expect((await now(id)).nextBuildAt).toEqual(new Date('2026-03-01T00:11:00.000Z'));
  expect(await builds(pipeline.id)).toEqual([]);
});

test('a schedule that is changed, disabled or deleted before its tick creates no build', async () => {
  const { pipeline, id } = await scheduled('*/10 * * * *');
  await world.perform(world.admin, updateSchedule, { pipelineSchedule: { id }, enabled: false });
  expect(await at('2026-03-01T00:10:00.000Z')).toBe(0);
  await world.perform(world.admin, updateSchedule, { pipelineSchedule: { id }, enabled: true });
  await world.perform(world.admin, deleteSchedule, { pipelineSchedule: { id } });
  expect(await at('2026-03-01T00:20:00.000Z')).toBe(0);
  expect(await builds(pipeline.id)).toEqual([]);
});

test('simultaneous checks for due schedules create one build between them', async () => {
  const { pipeline } = await scheduled('*/10 * * * *');
  world.clock.set(new Date('2026-03-01T00:10:00.000Z'));
  const dealt = await Promise.all(Array.from({ length: 6 }, () => buildDueSchedules(world.services)));
  expect(dealt.reduce((sum, count) => sum + count, 0)).toBe(1);
  expect(await builds(pipeline.id)).toHaveLength(1);
});
