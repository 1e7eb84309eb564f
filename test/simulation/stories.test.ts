import { runUntilIdle } from '../support/run-until-idle.js';
import { createBuild } from '../../src/operations/builds/create.js';
import { retryJob } from '../../src/operations/builds/jobs/retry.js';
import { unblockJob } from '../../src/operations/builds/jobs/unblock.js';
import { logRef, logStore } from '../../src/resources/builds/logs/log-store.js';
import { appendChunk } from '../../src/storage/logs/append-chunk.js';
import { World } from '../support/world.js';
import { readFacts } from './checks/facts.js';
import { violations } from './checks/invariants.js';
import { Random } from './random.js';
import { SimulatedAgent } from './simulated/agent.js';
import { Surroundings } from './surroundings.js';

describe('what random runs seldom come across', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(() => world.close());

  const build = (pipelineId: string) =>
    world.perform(world.admin, createBuild, {
      pipeline: { id: pipelineId },
      commit: 'HEAD',
      branch: 'main',
      message: 'Go',
    });

  test('a job that no agent takes expires when the organization says so, from its creation', async () => {
    await world.services.db
      .updateTable('organizations')
      .set({ scheduledJobExpiryInMinutes: 10 })
      .where('id', '=', world.organization.id)
      .execute();
    const pipeline = await world.pipeline(
      'steps: [{command: "true"}, {command: "true", concurrency: 1, concurrency_group: gate}]',
    );
    await build(pipeline.id);
    await runUntilIdle(world.services);
    world.clock.advance(9 * 60);
    await runUntilIdle(world.services);
    expect((await readFacts(world.services.db, [pipeline.id]))[0]?.jobs.map(({ state }) => state)).toEqual([
      'scheduled',
      'scheduled',
    ]);
    world.clock.advance(2 * 60);
    await runUntilIdle(world.services);
    expect((await readFacts(world.services.db, [pipeline.id]))[0]?.jobs.map(({ state }) => state)).toEqual([
      'expired',
      'expired',
    ]);
  });

  test('the log of a job has its size on the job once its chunk is stored, should the process die before the answer', async () => {
    const pipeline = await world.pipeline('steps: [{command: "true"}]');
    await build(pipeline.id);
    const [job] = (await readFacts(world.services.db, [pipeline.id]))[0]?.jobs ?? [];
    if (!job) throw new Error('the build has no job');
    const chunk = { sequence: 1, offset: 0, size: 5, bytes: Buffer.from('hello') };
    await appendChunk(logStore(world.services, job.organizationId), logRef(job), chunk);
    expect((await readFacts(world.services.db, [pipeline.id]))[0]?.jobs[0]?.logSize).toBe(5);
  });

  /** Two agents work until nothing changes any more. */
  async function work(around: Surroundings): Promise<void> {
    const agents = [await SimulatedAgent.connect(around), await SimulatedAgent.connect(around)];
    for (let round = 0; round < 40; round += 1) {
      for (const agent of agents) await agent?.work();
      await runUntilIdle(world.services);
    }
  }

  test('jobs of one group behind a block, and jobs that wait for them, end in every order of unblocking', async () => {
    const gated = '{command: "true", concurrency: 1, concurrency_group: gate}';
    const pipeline = await world.pipeline(`steps: [{block: "Go on?"}, ${gated}, wait, ${gated}]`);
    for (let builds = 0; builds < 3; builds += 1) await build(pipeline.id);
    await runUntilIdle(world.services);
    const facts = await readFacts(world.services.db, [pipeline.id]);
    // The youngest first: the jobs behind the wait of the older builds must not keep the place of their creation.
    for (const { jobs } of facts.reverse()) {
      world.clock.advance(1);
      const block = jobs.find(({ type }) => type === 'block');
      await world.perform(world.admin, unblockJob, { job: { id: block?.id ?? '' } });
      await runUntilIdle(world.services);
    }
    await work(new Surroundings(world, new Random(1), 1, null));
    expect((await readFacts(world.services.db, [pipeline.id])).map((each) => each.build.state)).toEqual([
      'passed',
      'passed',
      'passed',
    ]);
  });

  test('a retried job keeps its place in the queue of its group', async () => {
    const gated = '{command: "true", concurrency: 1, concurrency_group: gate}';
    const pipeline = await world.pipeline(`steps: [${gated}]`);
    const around = new Surroundings(world, new Random(1), 1, null);
    await build(pipeline.id);
    world.clock.advance(60);
    await build(pipeline.id);
    await build(pipeline.id);
    await runUntilIdle(world.services);
    const agent = await SimulatedAgent.connect(around);
    do await agent?.work('1');
    while (agent?.busy);
    const states = async () =>
      (await readFacts(world.services.db, [pipeline.id])).map(({ jobs }) => jobs.map(({ state }) => state));
    const [failed] = (await readFacts(world.services.db, [pipeline.id]))[0]?.jobs ?? [];
    if (!failed) throw new Error('the build has no job');
    const { job } = await world.perform(world.admin, retryJob, { job: { id: failed.id } });
    expect(job.scheduledAt).toEqual(failed.scheduledAt);
    await runUntilIdle(world.services);
    expect(await states()).toEqual([['finished', 'scheduled'], ['limited'], ['limited']]);
  });

  test.each([
    { async: true, running: false, expected: 'skipped' },
    { async: false, running: false, expected: 'skipped' },
    { async: true, running: true, expected: 'canceled' },
    { async: false, running: true, expected: 'canceled' },
  ])(
    'a build whose trigger step makes the build that supersedes it gives way: %j',
    async ({ async, running, expected }) => {
      const condition = `if: 'build.source != "trigger_job"'`;
      const first = running ? `{command: "true", ${condition}}, wait, ` : '';
      const pipeline = await world.pipeline(
        `steps: [${first}{trigger: self, async: ${async}, ${condition}}, {command: "true"}]`,
        { slug: 'self', cancelRunningBranchBuilds: true, skipQueuedBranchBuilds: true },
      );
      await build(pipeline.id);
      if (running) {
        const agent = await SimulatedAgent.connect(new Surroundings(world, new Random(1), 1, null));
        do await agent?.work();
        while (agent?.busy);
      }
      await runUntilIdle(world.services);
      const facts = await readFacts(world.services.db, [pipeline.id]);
      expect(facts.map((each) => each.build.state)).toEqual([expected, 'scheduled']);
      expect(facts[0]?.jobs.find(({ type }) => type === 'trigger')).toMatchObject({
        state: expected,
        triggeredBuildId: facts[1]?.build.id,
      });
      expect(violations(facts)).toEqual([]);
      expect(
        await world.services.db
          .selectFrom('outbox_messages')
          .select('topic')
          .where('topic', '<>', 'log.compact')
          .execute(),
      ).toEqual([]);
    },
  );
});
