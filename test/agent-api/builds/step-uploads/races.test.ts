import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { cancelBuild } from '../../../../src/operations/builds/cancel.js';
import { retryJob } from '../../../../src/operations/builds/jobs/retry.js';
import { JobRunner } from '../../../support/job-runner.js';
import { describeOnPostgres } from '../../../support/database.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../../support/scripted-agent.js';
import { World } from '../../../support/world.js';

const rounds = 12;

describeOnPostgres('a pipeline upload at the same time as', () => {
  let world: World;
  let app: Express;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
    runner = new JobRunner(world);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('type', '=', 'command')
      .where('state', '!=', 'finished')
      .execute();
  });

  async function running(steps: string): Promise<{
    agent: ScriptedAgent;
    build: string;
    job: string;
    send: (label: string, fields?: object) => Promise<number>;
  }> {
    const { build, first } = await buildOf(world, steps);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    while ((await agent.ping()).job?.id !== first.id);
    await agent.accept(first.id);
    await agent.start(first.id).expect(200);
    const send = async (label: string, fields: object = {}) => {
      const body = { uuid: randomUUID(), pipeline: { steps: [{ command: label, label }] }, ...fields };
      return (await agent.call('post', `/jobs/${first.id}/pipelines`, agent.jobToken).send(body)).status;
    };
    return { agent, build: build.id, job: first.id, send };
  }

  /** Every step has its own position, and as many jobs as it planned. */
  async function expectWhole(build: string, steps: number): Promise<void> {
    const rows = await world.services.db.selectFrom('steps').selectAll().where('buildId', '=', build).execute();
    expect(rows.length).toBe(steps);
    expect(new Set(rows.map(({ position }) => position)).size).toBe(steps);
    const places = new Map(rows.map(({ id, position }) => [id, position]));
    for (const job of await runner.jobs(build)) expect(job.position).toBe(places.get(job.stepId));
    const events = await world.services.db
      .selectFrom('events')
      .select('sequence')
      .where('buildId', '=', build)
      .orderBy('sequence')
      .execute();
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_event, index) => index + 1));
  }

  test('others of its job: all are applied, one after the other', async () => {
    const { send, build } = await running('steps: [{ command: u }, wait, { command: c }]');
    expect(await Promise.all(Array.from({ length: 10 }, (_, index) => send(`X${index}`)))).toEqual(Array(10).fill(200));
    await expectWhole(build, 13);
    expect((await buildNow(world, build)).uploadCount).toBe(10);
  });

  test('itself: it is applied once', async () => {
    const { send, build } = await running('steps: [{ command: u }]');
    const uuid = randomUUID();
    expect(await Promise.all(Array.from({ length: 10 }, () => send('X', { uuid })))).toEqual(Array(10).fill(200));
    await expectWhole(build, 2);
  });

  test('uploads of other jobs of the build', async () => {
    const { build, jobs } = await buildOf(world, 'steps: [{ command: u, parallelism: 5 }, { command: c, label: C }]');
    const agents = await Promise.all(jobs.map(() => ScriptedAgent.connected(app, world.agentToken)));
    const taken: [ScriptedAgent, string][] = [];
    for (const agent of agents) taken.push([agent, await agent.takeJob()]);
    const answers = await Promise.all(
      taken.map(([agent, job], index) =>
        agent
          .call('post', `/jobs/${job}/pipelines`, agent.jobToken)
          .send({ uuid: randomUUID(), pipeline: { steps: [{ command: 'x', key: `k${index % 3}` }] } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 422, 422, 422]);
    await expectWhole(build.id, 5);
  });

  test('the cancellation of its build: its steps are canceled with the build, or it is refused', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { send, build, agent, job } = await running('steps: [{ command: u }]');
      const [status] = await Promise.all([
        send('X'),
        world.perform(world.admin, cancelBuild, { build: { id: build } }),
      ]);
      expect([200, 422]).toContain(status);
      await agent.finish(job, { exit_status: '-1', signal_reason: 'cancel' });
      expect((await runner.jobs(build)).map(({ state }) => state)).toEqual(
        status === 200 ? ['canceled', 'canceled'] : ['canceled'],
      );
      expect((await buildNow(world, build)).state).toBe('canceled');
      await expectWhole(build, status === 200 ? 2 : 1);
    }
  }, 120_000);

  test('the end of its job: its steps keep the build running, or it is refused and the build is over', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { send, build, agent, job } = await running('steps: [{ command: u }]');
      const [status] = await Promise.all([send('X'), agent.finish(job)]);
      expect([200, 422]).toContain(status);
      expect((await buildNow(world, build)).state).toBe(status === 200 ? 'running' : 'passed');
      await expectWhole(build, status === 200 ? 2 : 1);
      if (status === 200) await runner.runAll(build);
      expect((await buildNow(world, build)).state).toBe('passed');
    }
  }, 120_000);

  test('the retry of a job that failed before', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { send, build } = await running('steps: [{ command: u }, { command: f, label: F }, wait, { command: c }]');
      const failing = (await runner.jobs(build)).find((job) => job.label === 'F')!;
      await runner.run(failing.id, 1);
      const [status] = await Promise.all([
        send('X'),
        world.perform(world.admin, retryJob, { job: { id: failing.id } }),
      ]);
      expect(status).toBe(200);
      await expectWhole(build, 5);
      expect((await jobNow(world, failing.id)).retried).toBe(true);
    }
  }, 120_000);

  test('an agent that is offered a step which it replaces: the agent runs the step, or the step is gone', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const { send, build } = await running('steps: [{ command: u }, { command: o, label: O }]');
      const other = await ScriptedAgent.connected(app, world.agentToken);
      const offered = (await runner.jobs(build)).find((job) => job.label === 'O')!;
      const [status, ping] = await Promise.all([send('X', { replace: true }), other.ping()]);
      expect(status).toBe(200);
      const labels = (await runner.jobs(build)).map(({ label }) => label);
      if (ping.job?.id === offered.id) expect(labels).toEqual([null, 'X', 'O']);
      else expect(labels).toEqual([null, 'X']);
      await expectWhole(build, labels.length);
      if (ping.job?.id === offered.id) expect((await other.accept(offered.id)).status).toBe(200);
      await other.call('post', '/disconnect').expect(200);
    }
  }, 120_000);
});
