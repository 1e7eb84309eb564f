import type { BuildRow, PipelineRow } from '../../../src/entities/database.js';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { getBuild } from '../../../src/operations/builds/get.js';
import { rebuildBuild } from '../../../src/operations/builds/rebuild.js';
import { JobRunner } from '../../support/job-runner.js';
import { World } from '../../support/world.js';

describe('canceling and rebuilding a build', () => {
  let world: World;
  let runner: JobRunner;
  let pipeline: PipelineRow;
  beforeAll(async () => {
    world = await World.create();
    runner = new JobRunner(world);
    pipeline = await world.pipeline('steps: [{ command: one }, wait, { command: two }]', { slug: 'app' });
  });
  afterAll(() => world.close());

  const create = async (from: PipelineRow = pipeline, fields: object = {}): Promise<BuildRow> =>
    (
      await world.perform(world.admin, createBuild, {
        pipeline: { id: from.id },
        commit: 'HEAD',
        branch: 'main',
        ...fields,
      })
    ).build;
  const cancel = (build: BuildRow, person = world.member) =>
    world.perform(person, cancelBuild, { build: { id: build.id } });
  const read = async (build: BuildRow) =>
    (
      await world.perform(world.member, getBuild, {
        build: { organization: 'acme', pipeline: 'app', number: String(build.number) },
      })
    ).build;

  test('a build that has not started is canceled at once, with all its jobs', async () => {
    const build = await create();
    const canceled = await cancel(build);
    expect(canceled.build).toMatchObject({
      state: 'canceled',
      canceledById: world.member.id,
      finishedAt: world.clock.now(),
      canceledAt: world.clock.now(),
    });
    expect(await runner.states(build.id)).toEqual(['canceled', 'canceled', 'canceled']);
  });

  test('canceling a build stops its running jobs, and the build ends once they have stopped', async () => {
    const build = await create();
    const [first] = await runner.jobs(build.id);
    await runner.start(first!.id);
    expect((await cancel(build)).build.state).toBe('canceling');
    expect(await runner.states(build.id)).toEqual(['canceling', 'canceled', 'canceled']);
    await expect(cancel(build)).rejects.toMatchObject({
      code: 'wrong_state',
      message: "Build can't be canceled because it's already being canceled.",
    });
    await runner.finish(first!.id, -1);
    expect(await read(build)).toMatchObject({ state: 'canceled', finishedAt: world.clock.now() });
  });

  test('a finished build cannot be canceled and stays unchanged', async () => {
    const build = await create();
    await runner.runAll(build.id);
    const before = await read(build);
    expect(before).toMatchObject({ state: 'passed', failingAt: null });
    await expect(cancel(build)).rejects.toMatchObject({
      code: 'wrong_state',
      message: "Build can't be canceled because it's already finished.",
    });
    expect(await read(build)).toEqual(before);
  });

  test('a blocked build can be canceled', async () => {
    const blocked = await create(await world.pipeline('steps: [{ block: "Go?" }, { command: two }]'));
    expect(blocked).toMatchObject({ state: 'blocked', blockedState: 'passed' });
    expect((await cancel(blocked)).build.state).toBe('canceled');
  });

  test('of ten simultaneous cancels one succeeds, and the others are refused because the build has ended', async () => {
    const build = await create();
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => cancel(build)));
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
    const events = await world.services.db
      .selectFrom('events')
      .select('type')
      .where('buildId', '=', build.id)
      .where('type', '=', 'build.stop')
      .execute();
    expect(events).toHaveLength(1);
  });

  test('canceling a build is hidden from strangers and forbidden to readers', async () => {
    const build = await create();
    await expect(cancel(build, world.outsider)).rejects.toMatchObject({ code: 'not_found' });
    const reader = await world.personWithToken(world.member.id, world.member.email, { scopes: ['read_builds'] });
    await expect(cancel(build, reader)).rejects.toMatchObject({ code: 'scope_missing' });
    expect((await read(build)).state).toBe('scheduled');
  });

  test('a rebuild copies commit, branch, message, environment and pull request, and refers to the first build', async () => {
    const original = await create(pipeline, {
      message: 'Ship it',
      env: { A: '1' },
      pullRequestId: 7,
      pullRequestBaseBranch: 'main',
      branch: 'feature',
      author: { name: 'Ann', email: 'ann@example.com' },
    });
    await cancel(original);
    const { build } = await world.perform(world.member, rebuildBuild, { build: { id: original.id } });
    expect(build).toMatchObject({
      state: 'scheduled',
      source: 'api',
      rebuiltFromId: original.id,
      branch: 'feature',
      message: 'Ship it',
      env: { A: '1' },
      pullRequestId: '7',
      pullRequestBaseBranch: 'main',
      creatorId: world.member.id,
      author: { name: 'Ann', email: 'ann@example.com' },
    });
    expect(build.number).toBeGreaterThan(original.number);
  });

  test('a pipeline that does not allow rebuilds refuses them', async () => {
    const build = await create(await world.pipeline('steps: [{ command: one }]', { allowRebuilds: false }));
    await expect(world.perform(world.member, rebuildBuild, { build: { id: build.id } })).rejects.toMatchObject({
      code: 'wrong_state',
      message: 'Rebuilds have been disabled for this pipeline',
    });
  });
});
