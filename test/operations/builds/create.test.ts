import { Problem } from '../../../src/domain/problem.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { World } from '../../support/world.js';

const twoSteps = `
env:
  COLOUR: blue
steps:
  - label: Test
    command: make test
    key: test
    env: { SHAPE: round }
  - wait
  - command: make deploy
    agents: { queue: macos }
`;

describe('build.create', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const jobsOf = (buildId: string) =>
    world.services.db.selectFrom('jobs').selectAll().where('buildId', '=', buildId).orderBy('position').execute();
  const create = async (pipelineId: string, fields: object = {}) =>
    (
      await world.perform(world.admin, createBuild, {
        pipeline: { id: pipelineId },
        commit: 'HEAD',
        branch: 'main',
        ...fields,
      })
    ).build;

  test('build.create makes a scheduled build whose first job waits for an agent and whose last job waits for the first', async () => {
    const pipeline = await world.pipeline(twoSteps);
    const build = await create(pipeline.id, {
      message: 'Go',
      env: { A: 1, B: 'two' },
      metaData: { release: 'v1', ok: true },
    });
    expect(build).toMatchObject({
      number: 1,
      state: 'scheduled',
      branch: 'main',
      commit: 'HEAD',
      message: 'Go',
      source: 'api',
      creatorId: world.admin.id,
      startedAt: null,
    });
    const jobs = await jobsOf(build.id);
    expect(
      jobs.map(({ type, state, label, command, clusterQueueId }) => ({ type, state, label, command, clusterQueueId })),
    ).toEqual([
      {
        type: 'command',
        state: 'scheduled',
        label: 'Test',
        command: 'make test',
        clusterQueueId: world.queues.default,
      },
      { type: 'wait', state: 'waiting', label: null, command: null, clusterQueueId: null },
      { type: 'command', state: 'waiting', label: null, command: 'make deploy', clusterQueueId: world.queues.macos },
    ]);
    expect(jobs[0]).toMatchObject({
      env: { SHAPE: 'round' },
      runnableAt: world.clock.now(),
      scheduledAt: build.createdAt,
    });
    const metaData = await world.services.db
      .selectFrom('build_meta_data')
      .select(['key', 'value'])
      .where('buildId', '=', build.id)
      .orderBy('key')
      .execute();
    expect(metaData).toEqual([
      { key: 'ok', value: 'true' },
      { key: 'release', value: 'v1' },
    ]);
    expect(build.pipelineEnv).toEqual({ COLOUR: 'blue' });
  });

  test('build.create numbers builds from one in each pipeline, also ten at once', async () => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }]');
    const builds = await Promise.all(Array.from({ length: 10 }, () => create(pipeline.id)));
    expect(builds.map((build) => build.number).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test('build.create records each transition once, in order', async () => {
    const pipeline = await world.pipeline(twoSteps);
    const build = await create(pipeline.id);
    const events = await world.services.db
      .selectFrom('events')
      .select(['type', 'toState', 'sequence', 'actorType', 'actorId'])
      .where('buildId', '=', build.id)
      .orderBy('sequence')
      .execute();
    expect(events.map((event) => event.sequence)).toEqual(events.map((_event, index) => index + 1));
    expect(events.map(({ type, toState }) => `${type} ${toState}`)).toEqual([
      'job.schedule scheduled',
      'job.wait waiting',
      'job.wait waiting',
      'build.create creating',
      'build.process scheduled',
    ]);
    expect(events.every((event) => event.actorType === 'user' && event.actorId === world.admin.id)).toBe(true);
    const audit = await world.services.db
      .selectFrom('audit_events')
      .select(['operation', 'organizationId', 'actorId'])
      .where('subjectId', '=', build.id)
      .execute();
    expect(audit).toEqual([
      { operation: 'build.create', organizationId: world.organization.id, actorId: world.admin.id },
    ]);
  });

  const refused = async (fields: object, pipelineFields: object = {}) => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }]', pipelineFields);
    const before = await world.services.db.selectFrom('builds').select('id').execute();
    const error: unknown = await create(pipeline.id, fields).catch((reason: unknown) => reason);
    expect(await world.services.db.selectFrom('builds').select('id').execute()).toHaveLength(before.length);
    expect(error).toBeInstanceOf(Problem);
    const { code, message, details } = error as Problem;
    return { code, message, fields: details.fields };
  };

  test.each([
    [{ commit: undefined }, [{ field: 'commit', code: 'missing' }]],
    [{ branch: '' }, [{ field: 'branch', code: 'missing' }]],
    [{ env: 'A=1' }, [{ field: 'env', code: expect.any(String) }]],
    [{ metaData: { a: { b: 1 } } }, [{ field: 'metaData.a', code: expect.any(String) }]],
    [{ pullRequestId: 'seven' }, [{ field: 'pullRequestId', code: expect.any(String) }]],
    [{ cleanCheckout: 'yes' }, [{ field: 'cleanCheckout', code: expect.any(String) }]],
  ])('build.create refuses %j with an error for each field', async (fields, problems) => {
    expect(await refused(fields)).toEqual({ code: 'invalid', message: 'Validation Failed', fields: problems });
  });

  test('build.create refuses an archived pipeline and a branch excluded by the filter, with the reason', async () => {
    expect(await refused({}, { archivedAt: new Date() })).toMatchObject({
      code: 'wrong_state',
      message: 'Builds cannot be created for an archived pipeline',
    });
    expect(await refused({ branch: 'dev' }, { branchConfiguration: 'main' })).toMatchObject({
      code: 'wrong_state',
      message: expect.stringContaining('Branch dev'),
    });
  });

  test('build.create builds a filtered branch when the request ignores branch filters', async () => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }]', { branchConfiguration: 'main' });
    await expect(create(pipeline.id, { branch: 'dev', ignorePipelineBranchFilters: true })).resolves.toMatchObject({
      branch: 'dev',
    });
  });

  test('build.create marks inapplicable steps as broken, and a build without others as not run', async () => {
    const pipeline = await world.pipeline(
      'steps: [{ command: a, branches: "!main" }, { command: b, if: build.branch == "dev" }, { command: c, skip: later }]',
    );
    const build = await create(pipeline.id);
    expect(build).toMatchObject({ state: 'not_run', finishedAt: world.clock.now() });
    expect((await jobsOf(build.id)).map((job) => [job.state, job.brokenReason])).toEqual([
      ['broken', 'branch_mismatch'],
      ['broken', 'conditional_failed'],
      ['broken', 'later'],
    ]);
  });

  test('build.create is hidden from strangers and forbidden to readers', async () => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }]');
    const input = { pipeline: { id: pipeline.id }, commit: 'HEAD', branch: 'main' };
    await expect(world.perform(world.outsider, createBuild, input)).rejects.toMatchObject({
      code: 'not_found',
      message: 'Not Found',
    });
    const reader = await world.personWithToken(world.member.id, world.member.email, { scopes: ['read_builds'] });
    await expect(world.perform(reader, createBuild, input)).rejects.toMatchObject({
      code: 'scope_missing',
      details: { scope: 'write_builds' },
    });
  });

  test('build.create skips queued builds of the branch when the pipeline is set to do so', async () => {
    const pipeline = await world.pipeline('steps: [{ command: "true" }]', { skipQueuedBranchBuilds: true });
    const [first, other] = [await create(pipeline.id), await create(pipeline.id, { branch: 'dev' })];
    const second = await create(pipeline.id);
    const states = await world.services.db
      .selectFrom('builds')
      .select(['id', 'state'])
      .where('pipelineId', '=', pipeline.id)
      .orderBy('number')
      .execute();
    expect(states).toEqual([
      { id: first.id, state: 'skipped' },
      { id: other.id, state: 'scheduled' },
      { id: second.id, state: 'scheduled' },
    ]);
    expect((await jobsOf(first.id)).map((job) => job.state)).toEqual(['skipped']);
  });
});
