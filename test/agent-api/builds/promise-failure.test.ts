import type { Express } from 'express';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('PUT promise_failure', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());

  const start = async (step: string) => {
    const { build, first } = await buildOf(world, `steps: [{ command: "true"${step} }]`);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    await agent.takeJob();
    const promise = (exitStatus: unknown, more: object = {}) =>
      agent.call('put', `/jobs/${first.id}/promise_failure`, agent.jobToken).send({ exit_status: exitStatus, ...more });
    return { build, job: first.id, agent, promise };
  };

  test('a promised failure fails the build while the job still runs, and exit status 0 does not undo it', async () => {
    const { build, job, agent, promise } = await start('');
    await promise(3, { reason: 'a test failed' }).expect(204);
    expect(await jobNow(world, job)).toMatchObject({
      state: 'running',
      promisedExitStatus: 3,
      promisedExitStatusAt: world.clock.now(),
    });
    expect((await buildNow(world, build.id)).state).toBe('failing');
    await agent.finish(job).expect(200);
    expect(await jobNow(world, job)).toMatchObject({
      state: 'finished',
      passed: false,
      softFailed: false,
      exitStatus: 0,
    });
    expect((await buildNow(world, build.id)).state).toBe('failed');
    const events = await world.services.db
      .selectFrom('events')
      .select(['type', 'reason'])
      .where('jobId', '=', job)
      .where('type', '=', 'job.promise_failure')
      .execute();
    expect(events).toEqual([{ type: 'job.promise_failure', reason: 'a test failed' }]);
  });

  test('repeating a promise is accepted, a different one is a conflict, and an exit status that is not a failure is refused', async () => {
    const { job, agent, promise } = await start('');
    for (const wrong of [0, -1, 'x', undefined]) expect((await promise(wrong)).status).toBe(422);
    await promise(1).expect(204);
    await promise(1).expect(204);
    await promise(2).expect(409);
    await agent.finish(job, { exit_status: '1' }).expect(200);
    await promise(1).expect(204);
    expect(
      await world.services.db
        .selectFrom('events')
        .select('id')
        .where('jobId', '=', job)
        .where('type', '=', 'job.promise_failure')
        .execute(),
    ).toHaveLength(1);
  });

  test('a promise is refused for a job of another agent', async () => {
    const [mine, theirs] = [await start(''), await start('')];
    const promise = (token: string) =>
      mine.agent.call('put', `/jobs/${theirs.job}/promise_failure`, token).send({ exit_status: 1 });
    await promise(mine.agent.jobToken).expect(403);
    await promise(mine.agent.session).expect(403);
    expect(await jobNow(world, theirs.job)).toMatchObject({ state: 'running', promisedExitStatus: null });
  });

  test('a promise is refused for a job that is not running', async () => {
    const { job, agent, promise } = await start('');
    await agent.finish(job).expect(200);
    await promise(1).expect(422);
  });

  test.each([
    ['a soft failure', ', soft_fail: true', { softFailed: true }],
    ['a failure that is retried', ', retry: { automatic: [{ exit_status: 1, limit: 1 }] }', { softFailed: false }],
  ])('promising %s leaves the build running', async (_kind, step, expected) => {
    const { build, job, agent, promise } = await start(step);
    await promise(1).expect(204);
    expect(await jobNow(world, job)).toMatchObject({ state: 'running', promisedExitStatus: 1, ...expected });
    expect((await buildNow(world, build.id)).state).toBe('running');
    await agent.finish(job, { exit_status: '1' }).expect(200);
    expect((await buildNow(world, build.id)).state).not.toBe('failed');
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', '=', 'scheduled')
      .execute();
  });
});
