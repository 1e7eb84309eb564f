import type { BuildRow } from '../../../../src/entities/database.js';
import { cancelBuild } from '../../../../src/operations/builds/cancel.js';
import { createBuild } from '../../../../src/operations/builds/create.js';
import { getBuild } from '../../../../src/operations/builds/get.js';
import { cancelJob } from '../../../../src/operations/builds/jobs/cancel.js';
import { readJobEnv } from '../../../../src/operations/builds/jobs/read-env.js';
import { retryJob } from '../../../../src/operations/builds/jobs/retry.js';
import { unblockJob } from '../../../../src/operations/builds/jobs/unblock.js';
import { JobRunner } from '../../../support/job-runner.js';
import { World } from '../../../support/world.js';

describe('jobs of a build', () => {
  let world: World;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await World.create();
    runner = new JobRunner(world);
  });
  afterAll(() => world.close());

  const build = async (yaml: string, fields: object = {}): Promise<BuildRow> => {
    const pipeline = await world.pipeline(yaml);
    return (
      await world.perform(world.admin, createBuild, {
        pipeline: { id: pipeline.id },
        commit: 'HEAD',
        branch: 'main',
        ...fields,
      })
    ).build;
  };
  const jobOf = async (of: BuildRow, index = 0) => (await runner.jobs(of.id))[index]!;
  const retry = (jobId: string, person = world.member) => world.perform(person, retryJob, { job: { id: jobId } });
  const state = async (of: BuildRow) =>
    (await world.perform(world.member, getBuild, { build: { id: of.id } })).build.state;

  describe('retrying', () => {
    test('a failed job is replaced by a new scheduled one, and the build runs again', async () => {
      const failed = await build('steps: [{ command: one }]');
      const first = await jobOf(failed);
      await runner.run(first.id, 1);
      expect(await state(failed)).toBe('failed');
      const { job, retriedJob } = await retry(first.id);
      expect(job).toMatchObject({
        state: 'scheduled',
        retriesCount: 1,
        retryType: 'manual',
        retrySourceId: first.id,
        agentId: null,
        startedAt: null,
        finishedAt: null,
        command: 'one',
      });
      expect(retriedJob).toMatchObject({
        id: first.id,
        retried: true,
        retriedInJobId: job.id,
        retriedById: world.member.id,
        state: 'finished',
      });
      expect(await state(failed)).toBe('running');
      await runner.run(job.id, 0);
      expect(await state(failed)).toBe('passed');
    });

    test('a job is retried once by its id, and the next retry takes the id of the new job', async () => {
      const failed = await build('steps: [{ command: one }]');
      const first = await jobOf(failed);
      await runner.run(first.id, 1);
      const { job } = await retry(first.id);
      await expect(retry(first.id)).rejects.toMatchObject({ code: 'not_applicable' });
      await runner.run(job.id, 1);
      expect((await retry(job.id)).job.retriesCount).toBe(2);
    });

    test('ten simultaneous retries create one new job', async () => {
      const failed = await build('steps: [{ command: one }]');
      const first = await jobOf(failed);
      await runner.run(first.id, 1);
      const results = await Promise.allSettled(Array.from({ length: 10 }, () => retry(first.id)));
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
      expect(await runner.states(failed.id)).toEqual(['(finished)', 'scheduled']);
    });

    test('retrying a passed, scheduled or waiting job is refused', async () => {
      const passed = await build('steps: [{ command: one }, wait]');
      const first = await jobOf(passed);
      const refusal = { code: 'not_applicable', message: 'Only failed, timed out or canceled jobs can be retried' };
      await expect(retry(first.id)).rejects.toMatchObject(refusal);
      await expect(retry((await jobOf(passed, 1)).id)).rejects.toMatchObject(refusal);
      await runner.run(first.id, 0);
      await expect(retry(first.id)).rejects.toMatchObject(refusal);
    });

    test('retrying a job of a canceled build is refused', async () => {
      const canceled = await build('steps: [{ command: one }]');
      await world.perform(world.admin, cancelBuild, { build: { id: canceled.id } });
      await expect(retry((await jobOf(canceled)).id)).rejects.toMatchObject({
        code: 'wrong_state',
        message: 'Jobs from canceled builds cannot be retried',
      });
    });

    test('an automatic retry repeats up to its limit, and the build does not become failing meanwhile', async () => {
      const flaky = await build(
        'steps: [{ command: one, retry: { automatic: [{ exit_status: 5, limit: 2 }] } }, wait, { command: two }]',
      );
      await runner.runAll(flaky.id, (job) => ((job.retriesCount ?? 0) < 2 && job.command === 'one' ? 5 : 0));
      expect(await runner.states(flaky.id)).toEqual(['(finished)', '(finished)', 'finished', 'finished', 'finished']);
      const { build: after } = await world.perform(world.member, getBuild, { build: { id: flaky.id } });
      expect(after).toMatchObject({ state: 'passed', failingAt: null });
      const hopeless = await build('steps: [{ command: one, retry: { automatic: true } }]');
      await runner.runAll(hopeless.id, () => 1);
      expect(await runner.states(hopeless.id)).toEqual(['(finished)', '(finished)', 'finished']);
      expect(await state(hopeless)).toBe('failed');
    });

    test('a soft failure lets the build pass', async () => {
      const soft = await build('steps: [{ command: one, soft_fail: [{ exit_status: 42 }] }, wait, { command: two }]');
      await runner.runAll(soft.id, (job) => (job.command === 'one' ? 42 : 0));
      expect(await state(soft)).toBe('passed');
      expect(await jobOf(soft)).toMatchObject({ softFailed: true, passed: false, exitStatus: 42 });
    });
  });

  describe('unblocking', () => {
    const blockYaml = `
steps:
  - command: one
  - block: Release?
    key: gate
    fields:
      - text: Notes
        key: notes
      - select: Stream
        key: stream
        default: beta
        options: [{ label: Beta, value: beta }, { label: Stable, value: stable }]
  - command: two
`;
    const unblock = (jobId: string, fields: object = {}, person = world.member) =>
      world.perform(person, unblockJob, { job: { id: jobId }, ...fields });

    test("unblocking a reached block stores its fields as meta-data and names the unblocker in the next job's environment", async () => {
      const blocked = await build(blockYaml);
      const gate = await jobOf(blocked, 1);
      await expect(unblock(gate.id)).rejects.toMatchObject({
        code: 'wrong_state',
        message: "The job's state must be blocked",
      });
      await runner.run((await jobOf(blocked)).id);
      expect(await state(blocked)).toBe('blocked');
      const { job } = await unblock(gate.id, { fields: { notes: 'line one\r\nline two' } });
      expect(job).toMatchObject({ state: 'unblocked', unblockedById: world.member.id, unblockedAt: world.clock.now() });
      const metaData = await world.system().load.metaDataOfBuild.load(blocked.id);
      expect(metaData).toEqual({ notes: 'line one\nline two', stream: 'beta' });
      expect(await state(blocked)).toBe('running');
      const next = await jobOf(blocked, 2);
      expect(next.state).toBe('scheduled');
      const { env } = await world.perform(world.member, readJobEnv, { job: { id: next.id } });
      expect(env).toMatchObject({
        BUILDKITE_UNBLOCKER_ID: world.member.id,
        BUILDKITE_COMMAND: 'two',
        BUILDKITE_PULL_REQUEST: 'false',
        CI: 'true',
      });
      expect(Object.values(env).every((value) => typeof value === 'string')).toBe(true);
      await runner.run(next.id);
      expect(await state(blocked)).toBe('passed');
    });

    test('missing and invalid field values are refused and change nothing', async () => {
      const blocked = await build(blockYaml);
      await runner.run((await jobOf(blocked)).id);
      const gate = await jobOf(blocked, 1);
      await expect(unblock(gate.id, { fields: { stream: 'nightly' } })).rejects.toMatchObject({
        code: 'invalid',
        details: {
          fields: [
            { field: 'fields.notes', code: 'missing' },
            { field: 'fields.stream', code: 'is not one of the options' },
          ],
        },
      });
      expect(await state(blocked)).toBe('blocked');
    });

    test('only block steps can be unblocked, and only on behalf of members', async () => {
      const blocked = await build('steps: [{ block: Go }, { command: two }]');
      await expect(unblock((await jobOf(blocked, 1)).id)).rejects.toMatchObject({
        code: 'not_applicable',
        message: 'This job type cannot be unblocked',
      });
      const gate = await jobOf(blocked);
      for (const unblocker of [world.outsider.id, 'nobody']) {
        await expect(unblock(gate.id, { unblocker })).rejects.toMatchObject({
          code: 'wrong_state',
          message: 'Unblocker is not a valid user id for this organization',
        });
      }
      expect((await unblock(gate.id, { unblocker: world.admin.id })).job.unblockedById).toBe(world.admin.id);
    });
  });

  test('canceling one job of a build fails the build once its other jobs have ended', async () => {
    const two = await build('steps: [{ command: one }, { command: two }]');
    const first = await jobOf(two);
    expect((await world.perform(world.member, cancelJob, { job: { id: first.id } })).job).toMatchObject({
      state: 'canceled',
      canceledById: world.member.id,
    });
    await runner.runAll(two.id);
    expect(await state(two)).toBe('failed');
  });
});
