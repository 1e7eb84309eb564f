import type { Express } from 'express';
import { settle } from '../../src/background/background.js';
import { cancelBuild } from '../../src/operations/builds/cancel.js';
import { cancelJob } from '../../src/operations/jobs/cancel.js';
import { settleOverdueJobs } from '../../src/operations/upkeep/settle-overdue-jobs.js';
import { loseSilentAgents } from '../../src/operations/upkeep/lose-silent-agents.js';
import { deliverMessage } from '../../src/operations/upkeep/deliver-message.js';
import { describeOnPostgres } from '../support/database.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';
const rounds = 12;

describeOnPostgres('agents, users and background work at the same time', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.services.db.updateTable('jobs').set({ state: 'canceled', deadlineAt: null }).where('type', '=', 'command').where('state', '!=', 'finished').execute();
  });

  const connected = () => ScriptedAgent.connected(app, world.agentToken);
  const crowd = (count: number) => Promise.all(Array.from({ length: count }, connected));
  /** Every transition of a job once, each from where the one before ended (I4, I10). */
  async function expectLegalHistory(jobId: string): Promise<void> {
    const events = await world.services.db.selectFrom('events').select(['fromState', 'toState', 'sequence', 'buildId']).where('jobId', '=', jobId).where('type', 'like', 'job.%').orderBy('sequence').execute();
    expect(events.slice(1).map((event) => event.fromState)).toEqual(events.slice(0, -1).map((event) => event.toState));
    expect(events.at(-1)?.toState).toBe((await jobNow(world, jobId)).state);
    const all = await world.services.db.selectFrom('events').select('sequence').where('buildId', '=', events[0]!.buildId).orderBy('sequence').execute();
    expect(all.map((event) => event.sequence)).toEqual(all.map((_event, index) => index + 1));
  }

  test('I1: ten agents and one job: one is offered it, one accept succeeds', async () => {
    const agents = await crowd(10);
    for (let round = 0; round < rounds; round += 1) {
      const { first } = await buildOf(world, oneCommand);
      // A locked build is passed over, so it may take a second round of pings.
      let offers: string[] = [];
      while (offers.length === 0) offers = (await Promise.all(agents.map((agent) => agent.ping()))).flatMap((answer) => (answer.job ? [answer.job.id] : []));
      expect(offers).toEqual([first.id]);
      const accepts = await Promise.all(agents.flatMap((agent) => [agent.accept(first.id), agent.accept(first.id)]));
      expect(accepts.filter((response) => response.status === 200).length).toBe(2);
      const winner = agents.find((agent) => agent.jobToken !== '')!;
      await Promise.all([winner.start(first.id), winner.start(first.id)]);
      const ends = await Promise.all([winner.finish(first.id), winner.finish(first.id), winner.finish(first.id)]);
      expect(ends.map((response) => response.status)).toEqual([200, 200, 200]);
      winner.jobToken = '';
      await expectLegalHistory(first.id);
    }
  }, 120_000);

  test('I1: ten agents that acquire one job: one gets it', async () => {
    const agents = await crowd(10);
    const { first } = await buildOf(world, oneCommand);
    const answers = await Promise.all(agents.map((agent) => agent.call('put', `/jobs/${first.id}/acquire`)));
    expect(answers.map((response) => response.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
  });

  test('ten agents and ten jobs: each gets one, none twice', async () => {
    const agents = await crowd(10);
    const { jobs } = await buildOf(world, 'steps: [{ command: "true", parallelism: 10 }]');
    const taken = new Map<ScriptedAgent, string>();
    for (let round = 0; round < 100 && taken.size < 10; round += 1) {
      const answers = await Promise.all(agents.map(async (agent) => [agent, (await agent.ping()).job?.id] as const));
      for (const [agent, id] of answers) if (id) taken.set(agent, id);
    }
    expect(new Set(taken.values())).toEqual(new Set(jobs.map((job) => job.id)));
  });

  test('one agent that pings ten times at once holds one job', async () => {
    const agent = await connected();
    await buildOf(world, oneCommand);
    await buildOf(world, oneCommand);
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.ping()));
    expect(new Set(answers.flatMap((answer) => (answer.job ? [answer.job.id] : []))).size).toBeLessThanOrEqual(1);
    const held = await world.services.db.selectFrom('jobs').select('id').where('agentId', '=', agent.id).where('state', '=', 'assigned').execute();
    expect(held.length).toBeLessThanOrEqual(1);
  });

  describe.each([
    ['the job', (build: string, job: string) => world.perform(world.admin, cancelJob, { job: { id: job } }).then(() => build)],
    ['the build', (build: string) => world.perform(world.admin, cancelBuild, { build: { id: build } })],
  ] as const)('a cancel of %s', (_what, cancel) => {
    const race = async (agent: ScriptedAgent, step: 'accept' | 'start' | 'finish') => {
      const { build, first } = await buildOf(world, oneCommand);
      while ((await agent.ping()).job?.id !== first.id);
      if (step !== 'accept') await agent.accept(first.id);
      if (step === 'finish') await agent.start(first.id).expect(200);
      const call = step === 'accept' ? agent.accept(first.id) : step === 'start' ? agent.start(first.id) : agent.finish(first.id);
      const [response] = await Promise.all([call, cancel(build.id, first.id).catch((error: unknown) => error)]);
      return { build, first, response };
    };

    test('racing accept leaves a canceled job, or one its agent is told to stop', async () => {
      const agent = await connected();
      for (let round = 0; round < rounds; round += 1) {
        const { build, first, response } = await race(agent, 'accept');
        const { state } = await jobNow(world, first.id);
        expect([response.status, state]).toEqual(response.status === 200 ? [200, 'canceling'] : [422, 'canceled']);
        if (response.status === 200) await agent.start(first.id).expect(422);
        expect((await jobNow(world, first.id)).state).toBe('canceled');
        expect((await buildNow(world, build.id)).finishedAt).not.toBeNull();
        await expectLegalHistory(first.id);
      }
    });

    test('racing start leaves a canceled job, or a running one that is told to stop', async () => {
      const agent = await connected();
      for (let round = 0; round < rounds; round += 1) {
        const { first, response } = await race(agent, 'start');
        expect([response.status, (await jobNow(world, first.id)).state]).toEqual(response.status === 200 ? [200, 'canceling'] : [422, 'canceled']);
        if (response.status === 200) await agent.finish(first.id, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
        await expectLegalHistory(first.id);
      }
    });

    test('racing finish leaves a passed or a canceled job, and the agent content', async () => {
      const agent = await connected();
      for (let round = 0; round < rounds; round += 1) {
        const { build, first, response } = await race(agent, 'finish');
        expect(response.status).toBe(200);
        const job = await jobNow(world, first.id);
        expect(['finished', 'canceled']).toContain(job.state);
        expect((await buildNow(world, build.id)).state).toMatch(/passed|failed|canceled/);
        await expectLegalHistory(first.id);
      }
    });
  });

  test('two replicas that settle the same deadlines, lost agents and messages do each once', async () => {
    const agents = await crowd(4);
    const { build, jobs } = await buildOf(world, 'steps: [{ command: "true", parallelism: 4, timeout_in_minutes: 1 }]');
    for (const agent of agents) while (!(await agent.ping()).job);
    for (const agent of agents) {
      const { job } = await agent.ping();
      await agent.accept(job!.id);
      await agent.start(job!.id).expect(200);
    }
    world.clock.advance(181);
    const replica = async () => {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([settleOverdueJobs(world.services), loseSilentAgents(world.services), deliverMessage(world.services)]);
      }
    };
    await Promise.all([replica(), replica(), replica()]);
    await settle(world.services);
    expect((await buildNow(world, build.id)).state).toBe('failed');
    for (const job of jobs) await expectLegalHistory(job.id);
    const lost = await world.services.db.selectFrom('events').select('agentId').where('type', '=', 'agent.lose').where('agentId', 'in', agents.map((agent) => agent.id)).execute();
    expect(lost.length).toBe(4);
    expect(await world.services.db.selectFrom('outbox_messages').select('id').execute()).toEqual([]);
  });

  test('an agent lost at the moment it finishes: one of both, not both', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const agent = await connected();
      const { first } = await buildOf(world, oneCommand);
      while (!(await agent.ping()).job);
      await agent.accept(first.id);
      await agent.start(first.id).expect(200);
      world.clock.advance(181);
      const [response] = await Promise.all([agent.finish(first.id), loseSilentAgents(world.services)]);
      const job = await jobNow(world, first.id);
      expect([response.status, job.exitStatus]).toEqual(response.status === 200 ? [200, 0] : [422, -1]);
      await expectLegalHistory(first.id);
    }
  });

  test('chunks of one number sent ten times at once are one chunk', async () => {
    const agent = await connected();
    const { first } = await buildOf(world, oneCommand);
    while (!(await agent.ping()).job);
    await agent.accept(first.id);
    await agent.start(first.id).expect(200);
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.chunk(first.id, 1, 0, 'hello')));
    expect(answers.map((response) => response.status)).toEqual(answers.map(() => 201));
    expect((await jobNow(world, first.id)).logSize).toBe(5);
    await agent.finish(first.id).expect(200);
  });
});
