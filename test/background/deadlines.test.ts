import type { Express } from 'express';
import { runUntilIdle } from '../support/run-until-idle.js';
import { listeningLagMs } from '../../src/domain/agents/listening.js';
import { Listening } from '../../src/background/listening.js';
import { expireOverdueJobs } from '../../src/background/builds/expire-overdue-jobs.js';
import { cancelJob } from '../../src/operations/builds/jobs/cancel.js';
import { agentApp, buildNow, buildOf, dispatchOf, jobNow, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';

describe('deadlines of jobs and agents', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('type', '=', 'command')
      .execute();
  });

  const connected = () => ScriptedAgent.connected(app, world.agentToken);
  const listening = new Listening();
  /** Time passes while the installation listens; of weeks only the end matters. */
  const after = async (seconds: number) => {
    const listened = Math.min(seconds, 600);
    world.clock.advance(seconds - listened);
    // Even steps: one that is too short for a look would not count until the next.
    for (let left = listened, steps = Math.ceil(listened / 9); steps > 0; steps -= 1) {
      const seconds = Math.ceil(left / steps);
      world.clock.advance(seconds);
      left -= seconds;
      await listening.look(world.services);
    }
    await runUntilIdle(world.services);
  };
  /** Time passes while the agents go on sending heartbeats. */
  const alive = async (seconds: number, ...agents: ScriptedAgent[]) => {
    world.clock.advance(seconds);
    for (const agent of agents) await agent.call('post', '/heartbeat').send({}).expect(200);
    await runUntilIdle(world.services);
  };
  const eventTypes = async (jobId: string) =>
    (
      await world.services.db
        .selectFrom('events')
        .select(['type', 'reason'])
        .where('jobId', '=', jobId)
        .orderBy('sequence')
        .execute()
    ).map(({ type }) => type);

  test('a job that is not accepted within 30 seconds, or not started within 60 seconds of its acceptance, returns to the queue', async () => {
    const { first } = await buildOf(world, oneCommand);
    const [agent, next] = [await connected(), await connected()];
    await agent.ping();
    await after(29);
    expect((await jobNow(world, first.id)).state).toBe('assigned');
    await after(1);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', agentId: null, attempt: 1 });
    expect((await agent.accept(first.id)).status).toBe(422);
    await next.ping();
    await next.accept(first.id);
    await after(60);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', agentId: null, attempt: 2 });
    await next.start(first.id).expect(422);
    expect(await eventTypes(first.id)).toEqual([
      'job.schedule',
      'job.assign',
      'job.requeue',
      'job.assign',
      'job.accept',
      'job.requeue',
    ]);
  });

  test('a job past its timeout must stop, and times out without its agent if the agent does not report', async () => {
    const { build, first } = await buildOf(world, 'steps: [{ command: "sleep", timeout_in_minutes: 2 }]');
    const agent = await connected();
    await agent.takeJob();
    await alive(119, agent);
    expect((await jobNow(world, first.id)).state).toBe('running');
    await alive(1, agent);
    await agent.state(first.id).expect(200, { state: 'timing_out' });
    await alive(30, agent);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'timed_out', exitStatus: -1 });
    expect((await buildNow(world, build.id)).state).toBe('failed');
    await agent.finish(first.id, { exit_status: '0' }).expect(422);
    await agent.finish(first.id, { exit_status: '-1' }).expect(200);
  });

  test('a job that exits with 0 while its timeout is being enforced passes', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "sleep", timeout_in_minutes: 1 }]');
    const agent = await connected();
    await agent.takeJob();
    await alive(60, agent);
    await agent.finish(first.id, { exit_status: '0' }).expect(200);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'finished', passed: true });
  });

  test('a canceled job whose agent does not report is canceled after the grace period', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    const agent = await connected();
    await agent.takeJob();
    await world.perform(world.admin, cancelJob, { job: { id: first.id } });
    await alive(29, agent);
    expect((await jobNow(world, first.id)).state).toBe('canceling');
    await alive(1, agent);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'canceled', exitStatus: -1 });
    expect((await buildNow(world, build.id)).state).toMatch(/failed|canceled/);
  });

  test('a job that no agent accepts within thirty days expires and fails its build', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    await after(30 * 86_400);
    expect(await jobNow(world, first.id)).toMatchObject({
      state: 'expired',
      exitStatus: null,
      expiredAt: world.clock.now(),
    });
    expect((await buildNow(world, build.id)).state).toBe('failed');
  });

  test('an agent silent for three minutes is lost and its running job ends with -1; a job that never started returns to the queue (I6)', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    const [runner, holder] = [await connected(), await connected()];
    /** As within five seconds of every ping. */
    const pingsAreStored = () => dispatchOf(world).lastSeen.settle();
    await runner.takeJob();
    await pingsAreStored();
    const waiting = (await buildOf(world, oneCommand)).first;
    await after(170 + listeningLagMs / 1000);
    expect((await holder.ping()).job?.id).toBe(waiting.id);
    await holder.accept(waiting.id);
    await pingsAreStored();
    await after(10);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'finished', passed: false, exitStatus: -1 });
    expect((await buildNow(world, build.id)).state).toBe('failed');
    expect((await jobNow(world, waiting.id)).state).toBe('accepted');
    const rows = await world.services.db
      .selectFrom('agents')
      .select(['id', 'connectionState', 'lostAt'])
      .where('id', 'in', [runner.id, holder.id])
      .execute();
    expect(new Map(rows.map((row) => [row.id, row.connectionState]))).toEqual(
      new Map([
        [runner.id, 'lost'],
        [holder.id, 'connected'],
      ]),
    );
    await runner.finish(first.id).expect(422);
    await runner.call('post', '/heartbeat').send({}).expect(200);
    expect((await runner.ping()).action).toBeUndefined();
    await after(180 + listeningLagMs / 1000);
    expect(await jobNow(world, waiting.id)).toMatchObject({ state: 'scheduled', agentId: null });
  });

  test('a job that was being canceled is canceled when its agent is lost', async () => {
    const { first } = await buildOf(world, oneCommand);
    const agent = await connected();
    await agent.takeJob();
    await world.perform(world.admin, cancelJob, { job: { id: first.id } });
    await agent.call('post', '/disconnect').expect(200);
    expect((await jobNow(world, first.id)).state).toBe('canceled');
  });

  test('a paused agent is resumed with an event when its pause times out', async () => {
    const agent = await connected();
    await agent.call('post', '/pause').send({}).expect(200);
    await alive(300, agent);
    expect(
      await world.services.db
        .selectFrom('agents')
        .select(['pausedAt', 'pausedTimeoutInMinutes'])
        .where('id', '=', agent.id)
        .executeTakeFirst(),
    ).toEqual({ pausedAt: null, pausedTimeoutInMinutes: null });
  });

  test('a job that cannot be expired does not prevent others from expiring', async () => {
    const [bad, good] = [await buildOf(world, oneCommand), await buildOf(world, oneCommand)];
    const due = world.clock.now();
    await world.services.db
      .updateTable('jobs')
      .set({ deadlineAt: due })
      .where('id', 'in', [bad.first.id, good.first.id])
      .execute();
    await world.services.db
      .updateTable('steps')
      .set({ definition: '{"type":"command","retryAutomatic":5,"softFail":{"x":1}}' as never })
      .where('buildId', '=', bad.build.id)
      .execute();
    await expireOverdueJobs(world.services);
    expect((await jobNow(world, good.first.id)).state).toBe('expired');
    const left = await jobNow(world, bad.first.id);
    expect([left.state, left.deadlineAt! > due]).toEqual(['scheduled', true]);
    await world.services.db.deleteFrom('jobs').where('id', '=', bad.first.id).execute();
  });
});
