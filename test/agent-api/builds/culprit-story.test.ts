import { runUntilIdle } from '../../support/run-until-idle.js';
import { positionOf, shaOf } from '../../support/red-branch.js';
import { agentApp, ScriptedAgent } from '../../support/scripted-agent.js';
import { RestWorld } from '../../rest/rest-world.js';

const app = '/organizations/acme/pipelines/app';
const culprit = 14;

/** The server by its public surfaces, with agents that take what they are offered. */
describe('three agents, and a branch of 20 commits', () => {
  let rest: RestWorld;
  let agents: ScriptedAgent[];
  beforeAll(async () => {
    rest = await RestWorld.create();
    const { world } = rest;
    await world.pipeline('steps: [{ label: test, key: test, command: test }]', { slug: 'app' });
    const door = agentApp(world);
    agents = await Promise.all([1, 2, 3].map(() => ScriptedAgent.connected(door, world.agentToken)));
  });
  afterAll(() => rest.close());

  /** Each agent takes a job, if one is offered, and ends it by its commit, but for those that are stopped with it. */
  const work = async (stopped: readonly ScriptedAgent[] = []) => {
    let jobs = 0;
    for (const agent of agents) {
      const { job } = await agent.ping();
      if (!job) continue;
      jobs += 1;
      const { body } = await agent.accept(job.id);
      await agent.start(job.id).expect(200);
      const failed = positionOf(String(body.env.BUILDKITE_COMMIT)) >= culprit;
      const end = stopped.includes(agent) ? { exit_status: '-1', signal_reason: 'agent_stop' } : null;
      await agent.finish(job.id, end ?? { exit_status: failed ? '1' : '0' }).expect(200);
    }
    await runUntilIdle(rest.world.services);
    return jobs;
  };
  const build = async (position: number) => {
    const { body } = await rest.post(`${app}/builds`, { commit: shaOf(position), branch: 'main' }, rest.world.member);
    while ((await work()) > 0);
    return Number(body.number);
  };

  test('one of whom is stopped, find the commit that turned it red', async () => {
    await build(1);
    const failed = await build(20);
    const commits = Array.from({ length: 18 }, (_, index) => shaOf(index + 2));
    const { body: begun } = await rest
      .post(`${app}/builds/${failed}/culprit-searches`, { steps: ['test'], commits }, rest.world.member)
      .expect(201);
    expect(begun).toMatchObject({ state: 'running', commits_count: 19, suspects_count: 19 });
    await runUntilIdle(rest.world.services);
    const read = async () =>
      (await rest.get(`${app}/culprit-searches/${begun.id}`, rest.world.member).expect(200)).body;
    expect((await read()).tests.map((test: { position: number }) => test.position)).toEqual([4, 9, 14]);

    const [stopped, ...others] = agents as [ScriptedAgent, ...ScriptedAgent[]];
    await work([stopped]);
    await stopped.call('post', '/disconnect').expect(200);
    agents = others;
    for (let rounds = 0; rounds < 20 && (await read()).state === 'running'; rounds += 1) await work();

    const search = await read();
    expect(search).toMatchObject({ state: 'finished', culprit_commit: shaOf(culprit), suspects_count: 1 });
    expect(search.tests.length).toBeLessThanOrEqual(9);
    expect(search.tests.some(({ verdict }: { verdict: string | null }) => verdict === 'skipped')).toBe(true);
    expect(search.tests.filter(({ verdict }: { verdict: string | null }) => verdict === null)).toEqual([]);
    const builds = await rest.get(`${app}/builds?per_page=100`, rest.world.member);
    const own = builds.body.filter((each: { culprit_search_id: string | null }) => each.culprit_search_id === begun.id);
    expect(own).toHaveLength(search.tests.length);
    // The step has failed since the build that was pushed.
    const { body: jobs } = await rest.get(`${app}/builds/${failed}`, rest.world.member);
    const { body: failure } = await rest.get(
      `${app}/builds/${failed}/jobs/${jobs.jobs[0].id}/failure`,
      rest.world.member,
    );
    expect(failure.since.build_number).toBe(failed);
  });

  test('a stranger finds no search, and a reader begins none', async () => {
    const { world } = rest;
    const list = `${app}/culprit-searches`;
    const { body } = await rest.get(list, world.member).expect(200);
    expect(body).toHaveLength(1);
    await rest.get(`${list}/${body[0].id}`, world.outsider).expect(404);
    const reader = await world.personWithToken(world.member.id, world.member.email, { scopes: ['read_builds'] });
    await rest.get(`${list}/${body[0].id}`, reader).expect(200);
    await rest.post(`${app}/builds/2/culprit-searches`, {}, reader).expect(403);
  });
});
