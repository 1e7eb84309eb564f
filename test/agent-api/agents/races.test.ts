import type { Express } from 'express';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { cancelJob } from '../../../src/operations/builds/jobs/cancel.js';
import { expireOverdueJobs } from '../../../src/background/builds/expire-overdue-jobs.js';
import { Listening } from '../../../src/background/listening.js';
import { loseSilentAgents } from '../../../src/background/agents/lose-silent-agents.js';
import { Outbox } from '../../../src/background/outbox/outbox.js';
import { describeOnPostgres } from '../../support/database.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const oneCommand = 'steps: [{ command: "true" }]';
const rounds = 12;

describeOnPostgres('concurrent requests of agents, users and background tasks', () => {
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
      .where('state', '!=', 'finished')
      .execute();
  });

  const connected = () => ScriptedAgent.connected(app, world.agentToken);
  const crowd = (count: number) => Promise.all(Array.from({ length: count }, connected));
  /** Every transition of a job once, each from where the one before ended (I4, I10). */
  async function expectLegalHistory(jobId: string): Promise<void> {
    const events = await world.services.db
      .selectFrom('events')
      .select(['fromState', 'toState', 'sequence', 'buildId'])
      .where('jobId', '=', jobId)
      .where('type', 'like', 'job.%')
      .orderBy('sequence')
      .execute();
    expect(events.slice(1).map((event) => event.fromState)).toEqual(events.slice(0, -1).map((event) => event.toState));
    expect(events.at(-1)?.toState).toBe((await jobNow(world, jobId)).state);
    const all = await world.services.db
      .selectFrom('events')
      .select('sequence')
      .where('buildId', '=', events[0]!.buildId)
      .orderBy('sequence')
      .execute();
    expect(all.map((event) => event.sequence)).toEqual(all.map((_event, index) => index + 1));
  }

  test('ten agents that compete for one job get one offer, and one accept succeeds (I1)', async () => {
    const agents = await crowd(10);
    for (let round = 0; round < rounds; round += 1) {
      const { first } = await buildOf(world, oneCommand);
      // A locked build is passed over, so it may take a second round of pings.
      let offers: string[] = [];
      while (offers.length === 0)
        offers = (await Promise.all(agents.map((agent) => agent.ping()))).flatMap((answer) =>
          answer.job ? [answer.job.id] : [],
        );
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

  test('when ten agents acquire one job at once, one of them gets it (I1)', async () => {
    const agents = await crowd(10);
    const { first } = await buildOf(world, oneCommand);
    const answers = await Promise.all(agents.map((agent) => agent.call('put', `/jobs/${first.id}/acquire`)));
    expect(answers.map((response) => response.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 422)]);
  });

  test('ten agents that ping for ten jobs get one each, none twice', async () => {
    const agents = await crowd(10);
    const { jobs } = await buildOf(world, 'steps: [{ command: "true", parallelism: 10 }]');
    const taken = new Map<ScriptedAgent, string>();
    for (let round = 0; round < 100 && taken.size < 10; round += 1) {
      const answers = await Promise.all(agents.map(async (agent) => [agent, (await agent.ping()).job?.id] as const));
      for (const [agent, id] of answers) if (id) taken.set(agent, id);
    }
    expect(new Set(taken.values())).toEqual(new Set(jobs.map((job) => job.id)));
  });

  test('an agent that pings ten times at once holds one job', async () => {
    const agent = await connected();
    await buildOf(world, oneCommand);
    await buildOf(world, oneCommand);
    const answers = await Promise.all(Array.from({ length: 10 }, () => agent.ping()));
    expect(new Set(answers.flatMap((answer) => (answer.job ? [answer.job.id] : []))).size).toBeLessThanOrEqual(1);
    const held = await world.services.db
      .selectFrom('jobs')
      .select('id')
      .where('agentId', '=', agent.id)
      .where('state', '=', 'assigned')
      .execute();
    expect(held.length).toBeLessThanOrEqual(1);
  });

  describe.each([
    [
      'the job',
      (build: string, job: string) => world.perform(world.admin, cancelJob, { job: { id: job } }).then(() => build),
    ],
    ['the build', (build: string) => world.perform(world.admin, cancelBuild, { build: { id: build } })],
  ] as const)('canceling %s', (_what, cancel) => {
    const race = async (agent: ScriptedAgent, step: 'accept' | 'start' | 'finish') => {
      const { build, first } = await buildOf(world, oneCommand);
      while ((await agent.ping()).job?.id !== first.id);
      if (step !== 'accept') await agent.accept(first.id);
      if (step === 'finish') await agent.start(first.id).expect(200);
      const call =
        step === 'accept' ? agent.accept(first.id) : step === 'start' ? agent.start(first.id) : agent.finish(first.id);
      const [response] = await Promise.all([call, cancel(build.id, first.id).catch((error: unknown) => error)]);
      return { build, first, response };
    };

    test('canceling while the agent accepts leaves the job canceled, or running with an agent that must stop', async () => {
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

    test('canceling while the agent starts leaves the job canceled, or running with an agent that must stop', async () => {
      const agent = await connected();
      for (let round = 0; round < rounds; round += 1) {
        const { first, response } = await race(agent, 'start');
        expect([response.status, (await jobNow(world, first.id)).state]).toEqual(
          response.status === 200 ? [200, 'canceling'] : [422, 'canceled'],
        );
        if (response.status === 200)
          await agent.finish(first.id, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
        await expectLegalHistory(first.id);
      }
    });

    test('canceling while the agent finishes leaves the job passed or canceled, and the finish request succeeds', async () => {
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

  test('a build that is locked for long keeps no agent from the jobs behind it', async () => {
    const agent = await connected();
    const locked = await buildOf(world, 'steps: [{ command: "true", parallelism: 12 }]');
    const { first } = await buildOf(world, oneCommand);
    let release: () => void = () => undefined;
    const isLocked = new Promise<void>((resolve) => (release = resolve));
    const held = new Promise<void>((ready, fail) => {
      world.services.db
        .transaction()
        .execute(async (trx) => {
          await trx.selectFrom('builds').select('id').where('id', '=', locked.build.id).forUpdate().execute();
          ready();
          await isLocked;
        })
        .catch(fail);
    });
    await held;
    try {
      expect(await agent.ping()).toMatchObject({ job: { id: first.id } });
    } finally {
      release();
    }
    await agent.accept(first.id);
    await agent.start(first.id).expect(200);
    await agent.finish(first.id).expect(200);
  });

  test('replicas that process the same deadlines, lost agents and outbox messages process each once', async () => {
    const agents = await crowd(4);
    const { build, jobs } = await buildOf(world, 'steps: [{ command: "true", parallelism: 4, timeout_in_minutes: 1 }]');
    for (const agent of agents) while (!(await agent.ping()).job);
    for (const agent of agents) {
      const { job } = await agent.ping();
      await agent.accept(job!.id);
      await agent.start(job!.id).expect(200);
    }
    const listening = new Listening();
    await listening.look(world.services);
    for (let passed = 0; passed < 189; passed += 9) {
      world.clock.advance(9);
      await listening.look(world.services);
    }
    const replica = async () => {
      for (let round = 0; round < 5; round += 1) {
        await Promise.all([
          expireOverdueJobs(world.services),
          loseSilentAgents(world.services),
          new Outbox(world.services).round(),
        ]);
      }
    };
    await Promise.all([replica(), replica(), replica()]);
    await runUntilIdle(world.services);
    expect((await buildNow(world, build.id)).state).toBe('failed');
    for (const job of jobs) await expectLegalHistory(job.id);
    const lost = await world.services.db
      .selectFrom('events')
      .select('agentId')
      .where('type', '=', 'agent.lose')
      .where(
        'agentId',
        'in',
        agents.map((agent) => agent.id),
      )
      .execute();
    expect(lost.length).toBe(4);
    expect(await world.services.db.selectFrom('outbox_messages').select('id').execute()).toEqual([]);
  });

  test('an agent that is declared lost while it finishes its job either finishes or loses it, never both', async () => {
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

  test('ten simultaneous copies of one log chunk are stored as one', async () => {
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
