import { cancelBuild } from '../../../../src/operations/builds/cancel.js';
import { cancelCulpritSearch } from '../../../../src/operations/builds/culprit-searches/cancel.js';
import { createCulpritSearch } from '../../../../src/operations/builds/culprit-searches/create.js';
import { rebuildBuild } from '../../../../src/operations/builds/rebuild.js';
import type { CulpritSearchRow } from '../../../../src/entities/database.js';
import { agentApp, ScriptedAgent } from '../../../support/scripted-agent.js';
import { RedBranch, shaOf } from '../../../support/red-branch.js';
import { World } from '../../../support/world.js';

const commits = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => shaOf(from + index));
const steps = `steps:
  - { label: build, key: build, command: make }
  - { label: lint, command: lint }
  - { label: test, key: test, command: "test $BUILDKITE_COMMIT", depends_on: build }
  - wait
  - { label: deploy, command: deploy }`;

describe('a search for the commit that turned a branch red', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const begin = async (build: string, fields: object = {}) =>
    (await world.perform(world.admin, createCulpritSearch, { build: { id: build }, ...fields })).search.id;
  const refusal = (build: string, fields: object = {}) => begin(build, fields).catch((error: unknown) => error);
  /** The branch of `steps` with 20 commits between a build that passed and one whose tests failed. */
  const red = async (last = 21) => {
    const branch = await RedBranch.of(world, steps);
    const good = await branch.build(1);
    const bad = await branch.build(last, { test: 1 });
    return { branch, good, bad };
  };
  const failsFrom = (culprit: number) => (position: number, job: { label: string | null }) =>
    job.label === 'test' && position >= culprit ? 1 : 0;

  test('finds the commit, runs the failed step and what it depends on only, and is no part of the branch', async () => {
    const { branch, good, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    const { search } = await branch.runSearch(id, failsFrom(13));
    expect(search).toMatchObject({
      state: 'finished',
      culpritCommit: shaOf(13),
      firstSuspect: 12,
      lastSuspect: 12,
      reason: null,
      goodBuildId: good.id,
      badBuildId: bad.id,
      commitsFrom: 'caller',
    });
    const tests = await branch.tests(id);
    expect(tests.length).toBeLessThanOrEqual(5);
    expect(new Set(tests.map(({ verdict }) => verdict))).toEqual(new Set(['good', 'bad']));
    for (const { buildId, position } of tests) {
      const build = await branch.read(buildId);
      expect(build).toMatchObject({ branch: 'main', culpritSearchId: id, creatorId: world.admin.id, notify: [] });
      expect(build.env).toMatchObject({ SLIPWAY_CULPRIT_SEARCH: id });
      const jobs = await branch.runner.jobs(buildId);
      // The commit that the definition was interpolated with is that of the build.
      expect(jobs.map((job) => job.command)).toEqual(['make', `test ${shaOf(position + 1)}`]);
    }
  });

  test('builds as many commits at a time as agents are idle, and cancels what tells nothing more', async () => {
    const app = agentApp(world);
    const agents = await Promise.all([1, 2, 3].map(() => ScriptedAgent.connected(app, world.agentToken)));
    const branch = await RedBranch.of(world, 'steps: [{ label: test, command: test }]');
    await branch.build(1);
    const bad = await branch.build(41, { test: 1 });
    const id = await begin(bad.id, { commits: commits(2, 41) });
    await branch.idle();
    const first = await branch.tests(id);
    expect(first.map(({ position }) => position)).toEqual([10, 20, 30]);
    // The middle one fails: what is after it tells nothing more.
    const [low, middle, high] = first;
    await branch.runner.runAll(middle!.buildId, () => 1);
    await branch.idle();
    expect((await branch.read(high!.buildId)).state).toBe('canceled');
    const second = await branch.tests(id);
    expect(second.find(({ position }) => position === high!.position)).toMatchObject({ verdict: 'needless' });
    expect(second.filter(({ verdict }) => verdict === null).length).toBeGreaterThan(1);
    expect(second.some(({ position }) => position > 10 && position < 20)).toBe(true);
    await branch.runner.runAll(low!.buildId);
    const { search } = await branch.runSearch(id, failsFrom(17));
    expect(search.culpritCommit).toBe(shaOf(17));
    for (const agent of agents) await agent.call('post', '/disconnect').expect(200);
  });

  test('names suspects where commits cannot be judged', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    const lost = new Set([12, 13, 14]);
    const { search } = await branch.runSearch(id, (position, job) =>
      lost.has(position) && job.label === 'test' ? -1 : failsFrom(13)(position, job),
    );
    expect(search).toMatchObject({
      state: 'finished',
      culpritCommit: null,
      reason: 'The commits between could not be judged.',
      firstSuspect: 11,
      lastSuspect: 14,
    });
    const skipped = (await branch.tests(id)).filter(({ verdict }) => verdict === 'skipped');
    expect(skipped.map(({ position }) => position).sort()).toEqual([11, 12, 13]);
    expect(skipped[0]?.reason).toBe('A job ended with exit status -1, which tells nothing of the commit.');
  });

  test('takes a canceled build of it for a commit that cannot be judged', async () => {
    const { branch, bad } = await red(4);
    const id = await begin(bad.id, { commits: commits(2, 4) });
    await branch.idle();
    const [test] = await branch.tests(id);
    await world.perform(world.admin, cancelBuild, { build: { id: test!.buildId } });
    const { search } = await branch.runSearch(id, failsFrom(4));
    expect(search.state).toBe('finished');
    expect((await branch.tests(id))[0]).toMatchObject({ verdict: 'skipped', reason: 'Its build was canceled.' });
  });

  test('needs no build where no commit is between', async () => {
    const { branch, bad } = await red(2);
    const id = await begin(bad.id, { commits: [] });
    await branch.idle();
    expect(await branch.search(id)).toMatchObject({ state: 'finished', culpritCommit: shaOf(2) });
    expect(await branch.tests(id)).toEqual([]);
  });

  test('takes the commits of the builds between where nobody else has them', async () => {
    const branch = await RedBranch.of(world, steps);
    await branch.build(1);
    for (const position of [2, 3, 4, 5]) {
      const build = await branch.build(position, { build: -1 });
      await world.perform(world.admin, cancelBuild, { build: { id: build.id } }).catch(() => undefined);
    }
    const bad = await branch.build(6, { test: 1 });
    const id = await begin(bad.id);
    const { search } = await branch.runSearch(id, failsFrom(4));
    expect(search).toMatchObject({ commitsFrom: 'builds', commits: commits(2, 6), culpritCommit: shaOf(4) });
  });

  test('takes a step in which the branch failed before the build for older', async () => {
    const { branch, bad } = await red();
    const later = await branch.build(22, { test: 1, lint: 1 });
    const id = await begin(later.id, { steps: ['test'], commits: commits(2, 21) });
    expect(await branch.search(id)).toMatchObject({ badBuildId: bad.id, badCommit: shaOf(21) });
    const other = await branch.build(23, { lint: 1 });
    const ofLint = await begin(other.id, { commits: [] });
    // It passed at 21, and failed first at 22.
    expect(await branch.search(ofLint)).toMatchObject({ goodCommit: shaOf(21), badCommit: shaOf(22) });
    expect((await branch.search(ofLint)).plan).toHaveLength(1);
  });

  test('is canceled with its builds, and says what it knew', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    await branch.idle();
    const [test] = await branch.tests(id);
    const canceled = await world.perform(world.member, cancelCulpritSearch, { search: { id } });
    expect(canceled.search).toMatchObject({ state: 'canceled', suspectsCount: 20, reason: 'The search was canceled.' });
    expect((await branch.read(test!.buildId)).state).toBe('canceled');
    await branch.idle();
    expect(await branch.tests(id)).toHaveLength(1);
    await expect(world.perform(world.member, cancelCulpritSearch, { search: { id } })).rejects.toMatchObject({
      code: 'wrong_state',
      message: 'The search has ended',
    });
  });

  test('ends with what it knows after a day', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    await branch.idle();
    world.clock.advance(25 * 3_600_000);
    await branch.idle();
    expect(await branch.search(id)).toMatchObject({
      state: 'finished',
      culpritCommit: null,
      reason: 'The search took longer than 24 hours.',
      firstSuspect: 1,
      lastSuspect: 20,
    });
  });

  test('is carried on by whoever looks, with no commit built twice', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    await Promise.all(Array.from({ length: 5 }, () => branch.idle()));
    expect(await branch.tests(id)).toHaveLength(1);
    // An end whose message was lost is found when the search is looked at again.
    const [test] = await branch.tests(id);
    await branch.runner.runAll(test!.buildId);
    await world.services.db.deleteFrom('outbox_messages').execute();
    await branch.idle();
    expect(await branch.tests(id)).toHaveLength(1);
    world.clock.advance(31_000);
    await branch.idle();
    expect(await branch.tests(id)).toHaveLength(2);
  });

  test('is refused where there is nothing to search', async () => {
    const branch = await RedBranch.of(world, steps);
    const never = await branch.build(1, { test: 1 });
    expect(await refusal(never.id)).toMatchObject({
      code: 'wrong_state',
      message:
        'The steps passed together in none of the last 100 builds of the branch: name a commit at which they passed',
    });
    const good = await branch.build(2);
    expect(await refusal(good.id)).toMatchObject({
      message: 'No step of the build failed in a way that tells something of its commit',
    });
    const lost = await branch.build(3, { test: -1 });
    expect(await refusal(lost.id)).toMatchObject({
      message: 'No step of the build failed in a way that tells something of its commit',
    });
    const flaky = await branch.build(2, { test: 1 });
    expect(await refusal(flaky.id)).toMatchObject({
      message: `Build #${good.number} passed at the commit at which build #${flaky.number} failed`,
    });
    const head = await branch.build(4, { test: 1 }, { commit: 'HEAD', branch: 'next' });
    expect(await refusal(head.id, { goodCommit: shaOf(1) })).toMatchObject({
      message: `The commit of build #${head.number} is no full SHA`,
    });
    const bad = await branch.build(5, { test: 1 }, { branch: 'other' });
    const fields: [object, string, string][] = [
      [{ goodCommit: shaOf(1), steps: ['nothing'] }, 'steps', 'names a step that the build does not have: nothing'],
      [{ goodCommit: 'HEAD' }, 'goodCommit', 'must be a full SHA in lower case'],
      [{ goodCommit: shaOf(5) }, 'goodCommit', 'must be another commit than that of the build'],
      [{ goodCommit: shaOf(1), commits: [shaOf(5), shaOf(2)] }, 'commits', 'must end with the commit that failed'],
      [{ goodCommit: shaOf(1), commits: commits(10, 1_011) }, 'commits', 'has more than 1000 commits'],
    ];
    for (const [input, field, code] of fields)
      expect(await refusal(bad.id, input)).toMatchObject({ details: { fields: [{ field, code }] } });
    await begin(bad.id, { goodCommit: shaOf(1), commits: commits(2, 4) });
    expect(await refusal(bad.id, { goodCommit: shaOf(1) })).toMatchObject({
      message: 'A search for the culprit of this build is running',
    });
  });

  test('of ten begun at once one runs', async () => {
    const { bad } = await red();
    const begun = await Promise.allSettled(
      Array.from({ length: 10 }, () => begin(bad.id, { commits: commits(2, 21) })),
    );
    expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('is of at most five failed builds of a pipeline at a time', async () => {
    const { branch, bad } = await red();
    await begin(bad.id, { commits: commits(2, 21) });
    const others = [];
    for (let count = 0; count < 5; count += 1) others.push(await branch.build(30 + count, { test: 1 }));
    for (const other of others.slice(0, 4)) await begin(other.id, { commits: commits(2, 21) });
    expect(await refusal(others[4]!.id, { commits: commits(2, 21) })).toMatchObject({
      code: 'wrong_state',
      message: 'At most 5 searches for culprits of a pipeline may run',
    });
  });

  test('fails where its builds may not be created', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    await world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: world.clock.now() })
      .where('id', '=', branch.pipeline.id)
      .execute();
    await branch.idle();
    expect(await branch.search(id)).toMatchObject({
      state: 'failed',
      reason: 'A build could not be created: Builds cannot be created for an archived pipeline',
    } satisfies Partial<CulpritSearchRow>);
  });

  test('has builds that are not rebuilt or searched themselves', async () => {
    const { branch, bad } = await red();
    const id = await begin(bad.id, { commits: commits(2, 21) });
    await branch.idle();
    const [test] = await branch.tests(id);
    await branch.runner.runAll(test!.buildId, (job) => (job.label === 'test' ? 1 : 0));
    await expect(world.perform(world.admin, rebuildBuild, { build: { id: test!.buildId } })).rejects.toMatchObject({
      code: 'wrong_state',
    });
    expect(await refusal(test!.buildId)).toMatchObject({ message: 'The build is one of a search for a culprit' });
  });
});
