import { buildDueSchedules } from '../../../src/background/builds/build-due-schedules.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { listBuildsOfPipelines } from '../../../src/operations/builds/list-of-pipelines.js';
import { createSchedule } from '../../../src/operations/pipelines/schedules/create.js';
import { updateSchedule } from '../../../src/operations/pipelines/schedules/update.js';
import { createTrigger } from '../../../src/operations/pipelines/triggers/create.js';
import { updateTrigger } from '../../../src/operations/pipelines/triggers/update.js';
import type { PipelineRow } from '../../../src/entities/database.js';
import { World } from '../../support/world.js';

describe('a pipeline whose default branch is blank', () => {
  let world: World;
  let pipeline: PipelineRow;
  beforeAll(async () => {
    world = await World.create();
    pipeline = await world.pipeline('steps: [{ command: make }]', { slug: 'app', defaultBranch: '' });
  });
  afterAll(() => world.close());

  const address = () => ({ organization: 'acme', slug: 'app' });

  test('a request, a schedule or a trigger without a branch uses main', async () => {
    const { build } = await world.perform(world.admin, createBuild, { pipeline: address(), useDefaults: true });
    const { pipelineSchedule } = await world.perform(world.admin, createSchedule, {
      pipeline: address(),
      cronline: '@daily',
      branch: 'other',
    });
    const schedule = await world.perform(world.admin, updateSchedule, {
      pipelineSchedule: { id: pipelineSchedule.id },
      branch: '',
    });
    const { trigger } = await world.perform(world.admin, createTrigger, { pipeline: address(), branch: 'other' });
    const updated = await world.perform(world.admin, updateTrigger, {
      pipeline: address(),
      id: trigger.id,
      branch: null,
    });
    expect([build.branch, schedule.pipelineSchedule.branch, updated.trigger.branch]).toEqual(['main', 'main', 'main']);
    const created = await world.perform(world.admin, createTrigger, { pipeline: address() });
    expect(created.trigger.branch).toBe('main');
  });

  test('a schedule builds main, and the filter `%default` finds those builds', async () => {
    await world.perform(world.admin, createSchedule, { pipeline: address(), cronline: '@daily' });
    world.clock.advance(86_400);
    expect(await buildDueSchedules(world.services)).toBeGreaterThan(0);
    const pages = await world.perform(world.admin, listBuildsOfPipelines, {
      pipelineIds: [pipeline.id],
      branch: ['%default'],
      paging: { first: 50 },
    });
    const builds = pages.get(pipeline.id)?.rows ?? [];
    expect(builds.map(({ source }) => source)).toContain('schedule');
    expect(builds.every(({ branch }) => branch === 'main')).toBe(true);
  });
});
