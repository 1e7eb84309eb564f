import { operations } from '../support/operations.js';
import { buildOf, jobNow } from '../support/scripted-agent.js';
import { World } from '../support/world.js';
import { createAnnotation } from '../../src/operations/builds/annotations/create.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { deleteJobLog } from '../../src/operations/builds/logs/delete.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { archivePipeline } from '../../src/operations/pipelines/archive.js';
import { unarchivePipeline } from '../../src/operations/pipelines/unarchive.js';

describe('an archived pipeline', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  test('is read-only for people, apart from what ends or deletes something or checks the state itself', () => {
    const allowed = operations.filter(({ onArchived }) => onArchived).map(({ name }) => name);
    expect(allowed.sort()).toEqual([
      'build.cancel',
      'build.create',
      'build.rebuild',
      'culprit-search.cancel',
      'job.cancel',
      'pipeline-schedule.delete',
      'pipeline-trigger.delete',
      'pipeline.archive',
      'pipeline.delete',
      'pipeline.delete-webhook',
      'pipeline.favorite',
      'pipeline.unarchive',
      'pipeline.update',
    ]);
  });

  test('takes no annotation, retry or deletion of a log; its build can be canceled', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: make }]');
    const pipeline = { id: build.pipelineId };
    await world.perform(world.admin, archivePipeline, { pipeline });
    const refused = /^Pipeline is archived and cannot be changed/;
    const annotation = { of: { build: { id: build.id } }, body: 'Hello', context: 'note' };
    await expect(world.perform(world.admin, createAnnotation, annotation)).rejects.toThrow(refused);
    await world.perform(world.admin, cancelBuild, { build: { id: build.id } });
    expect((await jobNow(world, first.id)).state).toBe('canceled');
    await expect(world.perform(world.admin, deleteJobLog, { job: { id: first.id } })).rejects.toThrow(refused);
    await expect(world.perform(world.admin, retryJob, { job: { id: first.id } })).rejects.toThrow(refused);
    await world.perform(world.admin, unarchivePipeline, { pipeline });
    await world.perform(world.admin, createAnnotation, annotation);
  });
});
