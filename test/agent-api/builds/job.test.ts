import type { Express } from 'express';
import { cancelBuild } from '../../../src/operations/builds/cancel.js';
import { cancelJob } from '../../../src/operations/builds/jobs/cancel.js';
import { honoursTimingOut } from '../../../src/operations/builds/jobs/read-state.js';
import { readExitStatus } from '../../../src/operations/builds/jobs/finish.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

const oneCommand = 'steps: [{ command: "make test", label: Test }]';

describe('an agent and its job', () => {
  let world: World;
  let app: Express;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
  });
  afterAll(() => world.close());
  // Each test starts with an empty queue.
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', 'in', ['scheduled', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    world.clock.advance(60);
  });

  const connected = (fields: object = {}) => ScriptedAgent.connected(app, world.agentToken, fields as never);
  const cancel = (id: string) => world.perform(world.admin, cancelJob, { job: { id } });
  const events = async (jobId: string) =>
    (
      await world.services.db
        .selectFrom('events')
        .select(['type', 'fromState', 'toState', 'actorType'])
        .where('jobId', '=', jobId)
        .orderBy('sequence')
        .execute()
    ).map(({ type, toState, actorType }) => `${type} ${toState} ${actorType}`);

  test('every variable that is not of a special kind of job is sent, empty where there is no value, for hooks with set -u', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: make }]');
    const agent = await connected();
    await agent.ping();
    const { env } = (await agent.accept(first.id)).body as { env: Record<string, string> };
    const always = `
      CI BUILDKITE BUILDKITE_BUILD_ID BUILDKITE_BUILD_NUMBER BUILDKITE_BUILD_URL BUILDKITE_STEP_ID BUILDKITE_STEP_KEY
      BUILDKITE_LABEL BUILDKITE_MESSAGE BUILDKITE_TAG BUILDKITE_SOURCE BUILDKITE_PIPELINE_ID BUILDKITE_PIPELINE_NAME
      BUILDKITE_PIPELINE_SLUG BUILDKITE_PIPELINE_PROVIDER BUILDKITE_PIPELINE_DEFAULT_BRANCH BUILDKITE_ORGANIZATION_ID
      BUILDKITE_ORGANIZATION_SLUG BUILDKITE_BUILD_AUTHOR BUILDKITE_BUILD_AUTHOR_EMAIL BUILDKITE_BUILD_CREATOR
      BUILDKITE_BUILD_CREATOR_EMAIL BUILDKITE_BUILD_CREATOR_TEAMS BUILDKITE_PULL_REQUEST BUILDKITE_PULL_REQUEST_BASE_BRANCH
      BUILDKITE_PULL_REQUEST_REPO BUILDKITE_RETRY_COUNT BUILDKITE_TIMEOUT BUILDKITE_REBUILT_FROM_BUILD_ID
      BUILDKITE_REBUILT_FROM_BUILD_NUMBER BUILDKITE_TRIGGERED_FROM_BUILD_ID BUILDKITE_TRIGGERED_FROM_BUILD_NUMBER
      BUILDKITE_TRIGGERED_FROM_BUILD_PIPELINE_SLUG BUILDKITE_AGENT_ID BUILDKITE_AGENT_NAME BUILDKITE_AGENT_META_DATA_QUEUE
      BUILDKITE_COMPUTE_TYPE BUILDKITE_BRANCH BUILDKITE_COMMIT BUILDKITE_REPO BUILDKITE_JOB_ID BUILDKITE_COMMAND`;
    expect(
      always
        .trim()
        .split(/\s+/)
        .filter((name) => env[name] === undefined),
    ).toEqual([]);
    expect(env['BUILDKITE_STEP_KEY']).toBe('');
  });

  test('a job runs from its offer to its end and records the events of each step', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    const agent = await connected({ name: 'runner' });
    expect(await agent.ping()).toEqual({ job: { id: first.id, state: 'assigned' } });
    expect(await agent.ping()).toEqual({ job: { id: first.id, state: 'assigned' } });
    const { body } = await agent.accept(first.id);
    expect(body).toMatchObject({
      id: first.id,
      state: 'accepted',
      token: expect.stringMatching(/^bkaj_/),
      chunks_max_size_bytes: 102_400,
      chunks_interval_seconds: 1,
      log_max_size_bytes: 1024 ** 3,
      priority: 0,
      env: {
        BUILDKITE_JOB_ID: first.id,
        BUILDKITE_COMMAND: 'make test',
        BUILDKITE_AGENT_NAME: 'runner',
        BUILDKITE_AGENT_META_DATA_QUEUE: 'default',
        BUILDKITE_PULL_REQUEST: 'false',
        BUILDKITE_REPO: 'https://github.com/acme/app.git',
      },
    });
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'scheduled', startedAt: null });
    world.clock.advance(1);
    await agent.start(first.id).expect(200);
    await agent.start(first.id).expect(200);
    await agent.state(first.id).expect(200, { state: 'running' });
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'running', startedAt: world.clock.now() });
    world.clock.advance(5);
    await agent.finish(first.id).expect(200);
    expect(await jobNow(world, first.id)).toMatchObject({
      state: 'finished',
      passed: true,
      exitStatus: 0,
      finishedAt: world.clock.now(),
      agentId: agent.id,
    });
    expect(await buildNow(world, build.id)).toMatchObject({ state: 'passed' });
    expect(await events(first.id)).toEqual([
      'job.schedule scheduled user',
      'job.assign assigned agent',
      'job.accept accepted agent',
      'job.start running agent',
      'job.pass finished agent',
    ]);
    expect(await agent.ping()).toEqual({});
  });

  test("every value of a job's environment is a string (T6)", async () => {
    const { first } = await buildOf(world, 'steps: [{ command: "true", env: { N: 1, B: true }, parallelism: 2 }]', {
      env: { DEEP: { a: 1 }, ZERO: 0 },
    });
    const agent = await connected();
    await agent.ping();
    const { body } = await agent.accept(first.id);
    expect(Object.entries(body.env).filter(([, value]) => typeof value !== 'string')).toEqual([]);
    expect(body.env).toMatchObject({ N: '1', ZERO: '0', DEEP: '{"a":1}', BUILDKITE_PARALLEL_JOB: '0' });
    expect(body.env).not.toHaveProperty('BUILDKITE_PLUGINS');
  });

  describe('the step of an accepted job', () => {
    const acceptedStep = async (steps: string) => {
      const { first, jobs } = await buildOf(world, steps);
      const agent = await connected();
      await agent.ping();
      const { body } = await agent.accept(first.id);
      for (const { id } of jobs) await cancel(id);
      await agent.start(first.id).expect(422);
      return body as { step: unknown; matrix_permutation?: unknown; env: Record<string, string> };
    };

    test('has the defaults of its pipeline, and neither a signature nor null values (T7, T11)', async () => {
      const { step, matrix_permutation } = await acceptedStep(`
        secrets: [SHARED]
        checkout: { skip: "true", flags: { clone: --depth=1 } }
        cache: { paths: node_modules, size: 20 }
        env: { TOP: 1 }
        steps:
          - command: [a, b]
            key: k
            label: L
            env: { N: 1 }
            matrix: null
            signature: null
            secrets: { OWN: own }
            plugins: [ docker#v5: { image: node } ]
            checkout: { flags: { fetch: -v }, submodules: false }`);
      expect(step).toEqual({
        key: 'k',
        label: 'L',
        command: 'a\nb',
        env: { N: '1' },
        plugins: [{ 'github.com/buildkite-plugins/docker-buildkite-plugin#v5': { image: 'node' } }],
        secrets: [
          { key: 'own', environment_variable: 'OWN' },
          { key: 'SHARED', environment_variable: 'SHARED' },
        ],
        cache: { paths: ['node_modules'], size: '20' },
        checkout: { skip: true, submodules: false, flags: { clone: '--depth=1', fetch: '-v' } },
      });
      expect(matrix_permutation).toBeUndefined();
      expect(
        await acceptedStep('steps: [{ command: a, secrets: null, cache: 3, checkout: { skip: maybe } }]'),
      ).toMatchObject({
        step: { command: 'a', checkout: {} },
      });
    });

    test('with a matrix has the matrix as it was written and the place of the job in it', async () => {
      const { step, matrix_permutation } = await acceptedStep(
        'steps: [{ command: "echo {{matrix}}", matrix: [a, b] }]',
      );
      expect([step, matrix_permutation]).toEqual([{ command: 'echo {{matrix}}', matrix: ['a', 'b'] }, { '': 'a' }]);
      const named = await acceptedStep(
        'steps: [{ command: "{{matrix.n}}", matrix: { setup: { n: [1], os: [mac] } } }]',
      );
      expect(named.matrix_permutation).toEqual({ n: '1', os: 'mac' });
    });

    test('that is signed is the step as it was written, without null secrets (T7)', async () => {
      const { step, matrix_permutation } = await acceptedStep(
        'secrets: [TOP]\nsteps: [{ command: "echo {{matrix}}", matrix: [a], secrets: null, signature: { algorithm: HS512, signed_fields: [command], value: a..b } }]',
      );
      expect(step).toEqual({
        command: 'echo {{matrix}}',
        matrix: ['a'],
        signature: { algorithm: 'HS512', signed_fields: ['command'], value: 'a..b' },
      });
      expect(matrix_permutation).toEqual({ '': 'a' });
    });
  });

  test('the git flags of a job are those of its `checkout`; neither a build nor a step sets them by environment', async () => {
    const { first } = await buildOf(
      world,
      `env: { BUILDKITE_GIT_CLEAN_FLAGS: evil, BUILDKITE_AGENT_ACCESS_TOKEN: evil }
steps:
  - command: a
    env: { BUILDKITE_GIT_CLONE_FLAGS: evil, BUILDKITE_SHELL: evil }
    checkout: { skip: false, submodules: true, lfs: true, flags: { clone: -v, fetch: --tags }, sparse: { paths: [a, b/c] }, commit_verification: warn }`,
      { env: { BUILDKITE_HOOKS_PATH: 'evil' } },
    );
    const agent = await connected();
    await agent.ping();
    const { env } = (await agent.accept(first.id)).body;
    expect(env).toMatchObject({
      BUILDKITE_SKIP_CHECKOUT: 'false',
      BUILDKITE_GIT_SUBMODULES: 'true',
      BUILDKITE_GIT_LFS_ENABLED: 'true',
      BUILDKITE_GIT_CLONE_FLAGS: '-v',
      BUILDKITE_GIT_FETCH_FLAGS: '--tags',
      BUILDKITE_GIT_SPARSE_CHECKOUT_PATHS: 'a,b/c',
      BUILDKITE_GIT_COMMIT_VERIFICATION: 'warn',
    });
    expect(Object.values(env)).not.toContain('evil');
  });

  test('a job of a provider’s event is told the event and its merge queue', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    const conditions = {
      'build.source_event': 'merge_group',
      'build.source_action': 'checks_requested',
      'build.merge_queue.active': true,
      'build.merge_queue.base_branch': 'main',
      'build.merge_queue.base_commit': null,
    };
    await world.services.db.updateTable('builds').set({ conditions }).where('id', '=', build.id).execute();
    const agent = await connected();
    await agent.ping();
    const { env } = (await agent.accept(first.id)).body;
    expect(env).toMatchObject({
      BUILDKITE_GITHUB_EVENT: 'merge_group',
      BUILDKITE_GITHUB_ACTION: 'checks_requested',
      BUILDKITE_MERGE_QUEUE_BASE_BRANCH: 'main',
      BUILDKITE_REPO_SSH_HOST: '',
    });
    expect(env).not.toHaveProperty('BUILDKITE_MERGE_QUEUE_BASE_COMMIT');
  });

  describe('PUT /jobs/:id/accept', () => {
    test('accepting again by the same agent gives the same job; other agents, jobs without an offer and unknown jobs are refused', async () => {
      const { first } = await buildOf(world, oneCommand);
      const [agent, other] = [await connected(), await connected()];
      expect((await agent.accept(first.id)).status).toBe(422);
      await agent.ping();
      expect((await other.accept(first.id)).status).toBe(422);
      const once = await agent.accept(first.id);
      const twice = await agent.accept(first.id);
      expect([once.status, twice.status]).toEqual([200, 200]);
      expect(twice.body).toEqual(once.body);
      await agent.start(first.id).expect(200);
      expect((await agent.accept(first.id)).status).toBe(422);
      expect((await agent.accept('00000000-0000-7000-8000-000000000000')).status).toBe(404);
      expect((await agent.accept('nonsense')).status).toBe(404);
    });

    test('accepting a canceled job is refused, and the job is not offered again', async () => {
      const { first } = await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.ping();
      await cancel(first.id);
      expect((await agent.accept(first.id)).status).toBe(422);
      expect(await agent.ping()).toEqual({});
      expect((await jobNow(world, first.id)).state).toBe('canceled');
    });

    test('an accepted job that its agent never starts returns to the queue when the agent pings again', async () => {
      const { first } = await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.ping();
      await agent.accept(first.id);
      expect(await agent.ping()).toEqual({});
      expect((await jobNow(world, first.id)).state).toBe('accepted');
      world.clock.advance(5);
      expect(await agent.ping()).toEqual({});
      expect(await jobNow(world, first.id)).toMatchObject({ state: 'scheduled', agentId: null });
      const old = agent.jobToken;
      expect((await agent.ping()).job?.id).toBe(first.id);
      await agent.accept(first.id);
      expect(agent.jobToken).not.toBe(old);
      await agent.call('put', `/jobs/${first.id}/start`, old).send({}).expect(422);
      await agent.start(first.id).expect(200);
    });
  });

  test('starting a job that was canceled after its acceptance is refused, and the job is then canceled (T16)', async () => {
    const { build, first } = await buildOf(world, oneCommand);
    const agent = await connected();
    await agent.ping();
    await agent.accept(first.id);
    await world.perform(world.admin, cancelBuild, { build: { id: build.id } });
    expect((await jobNow(world, first.id)).state).toBe('canceling');
    const { body } = await agent.start(first.id).expect(422);
    expect(body.message).toMatch(/cannot be started/);
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'canceled', startedAt: null, exitStatus: null });
    expect((await buildNow(world, build.id)).state).toBe('canceled');
    expect(await agent.ping()).toEqual({});
  });

  test('a running job whose agent keeps pinging for work ends with exit status -1', async () => {
    const { first } = await buildOf(world, oneCommand);
    const agent = await connected();
    await agent.takeJob();
    expect(await agent.ping()).toEqual({});
    expect((await jobNow(world, first.id)).state).toBe('running');
    world.clock.advance(6);
    expect(await agent.ping()).toEqual({});
    expect(await jobNow(world, first.id)).toMatchObject({ state: 'finished', passed: false, exitStatus: -1 });
    await agent.finish(first.id).expect(422);
  });

  describe('PUT /jobs/:id/finish', () => {
    const results: [string, object, object][] = [
      ['success', { exit_status: '0' }, { state: 'finished', passed: true, exitStatus: 0 }],
      ['a plain failure', { exit_status: '3' }, { state: 'finished', passed: false, exitStatus: 3 }],
      [
        'a signal',
        { exit_status: '255', signal: 'SIGSEGV' },
        { state: 'finished', passed: false, exitStatus: 255, signal: 'SIGSEGV' },
      ],
      [
        'a job that never ran',
        { exit_status: '-1', signal_reason: 'process_run_error' },
        { state: 'finished', passed: false, exitStatus: -1, signalReason: 'process_run_error' },
      ],
      [
        'a refusal by the agent',
        { exit_status: '-1', signal_reason: 'agent_refused' },
        { state: 'finished', passed: false, signalReason: 'agent_refused' },
      ],
      ['an unreadable exit status', { exit_status: 'what' }, { state: 'finished', passed: false, exitStatus: -1 }],
      ['no status', { exit_status: undefined }, { state: 'finished', passed: false, exitStatus: -1 }],
      ['lost chunks', { chunks_failed_count: 4 }, { passed: true, chunksFailedCount: 4 }],
    ];
    test.each(results)(
      'the state of a finished job follows from its report: %s (T13)',
      async (_what, report, expected) => {
        const { first } = await buildOf(world, oneCommand);
        const agent = await connected();
        await agent.takeJob();
        await agent.finish(first.id, report as never).expect(200);
        expect(await jobNow(world, first.id)).toMatchObject(expected);
      },
    );

    test('repeating a finish succeeds, and another result is refused and changes nothing', async () => {
      const { first } = await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.takeJob();
      await agent.finish(first.id, { exit_status: '3' }).expect(200);
      const before = await jobNow(world, first.id);
      await agent.finish(first.id, { exit_status: '3' }).expect(200);
      await agent.finish(first.id, { exit_status: '0' }).expect(422);
      world.clock.advance(100_000);
      await agent.finish(first.id, { exit_status: '0' }).expect(422);
      expect(await jobNow(world, first.id)).toEqual(before);
    });

    test('a finish of an earlier attempt is refused with 422, and its state poll with 401', async () => {
      const { first } = await buildOf(world, oneCommand);
      const [agent, next] = [await connected(), await connected()];
      await agent.ping();
      await agent.accept(first.id);
      world.clock.advance(10);
      await agent.ping();
      await next.takeJob();
      await agent.state(first.id).expect(401);
      await agent.start(first.id).expect(422);
      await agent.finish(first.id).expect(422);
      await agent.chunk(first.id, 1, 0, 'old').expect(422);
      expect((await jobNow(world, first.id)).state).toBe('running');
      await next.finish(first.id).expect(200);
    });

    test('an agent that finishes with ignore_agent_in_dispatches is offered no other job (T23)', async () => {
      const { first } = await buildOf(world, oneCommand);
      const agent = await connected();
      await agent.takeJob();
      await buildOf(world, oneCommand);
      await agent.finish(first.id, { ignore_agent_in_dispatches: true }).expect(200);
      expect(await agent.ping()).toEqual({});
    });

    test('soft failures and automatic retries are decided by the exit status', async () => {
      const { build, first } = await buildOf(
        world,
        'steps: [{ command: "x", retry: { automatic: [{ exit_status: 7, limit: 1 }] }, soft_fail: [{ exit_status: 7 }] }]',
      );
      const agent = await connected();
      await agent.takeJob();
      await agent.finish(first.id, { exit_status: '7' }).expect(200);
      expect(await jobNow(world, first.id)).toMatchObject({ retried: true });
      const second = await agent.takeJob();
      expect(second).not.toBe(first.id);
      await agent.finish(second, { exit_status: '7' }).expect(200);
      expect(await jobNow(world, second)).toMatchObject({ softFailed: true, retried: false });
      expect((await buildNow(world, build.id)).state).toBe('passed');
    });
  });

  describe('the state poll of a canceled job', () => {
    test('a report from an agent during cancelation ends the job as canceled, whatever its exit status (T28)', async () => {
      for (const report of [
        { exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' },
        { exit_status: '255' },
        { exit_status: '0' },
      ]) {
        const { first } = await buildOf(world, oneCommand);
        const agent = await connected();
        await agent.takeJob();
        await cancel(first.id);
        await agent.state(first.id).expect(200, { state: 'canceling' });
        await agent.finish(first.id, report).expect(200);
        expect(await jobNow(world, first.id)).toMatchObject({
          state: 'canceled',
          exitStatus: Number(report.exit_status),
        });
        await agent.finish(first.id, report).expect(200);
      }
    });

    test('agents before 3.127 receive canceling in place of timing_out (T27)', async () => {
      for (const [version, state] of [
        ['3.126.1', 'canceling'],
        ['3.127.0', 'timing_out'],
        ['4.0.0-beta.15', 'timing_out'],
        ['', 'canceling'],
      ] as const) {
        const { first } = await buildOf(world, oneCommand);
        const agent = await connected({ version });
        await agent.takeJob();
        await world.services.db.updateTable('jobs').set({ state: 'timing_out' }).where('id', '=', first.id).execute();
        await agent.state(first.id).expect(200, { state });
        await agent.finish(first.id, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
        expect(await jobNow(world, first.id)).toMatchObject({ state: 'timed_out', exitStatus: -1 });
      }
    });

    test.each([
      ['3.20.0', false],
      ['3.127.0', true],
      ['v4.1', true],
      ['2.9', false],
      ['x', false],
    ])('agent version %s supports the state timing_out: %s', (version, honours) => {
      expect(honoursTimingOut(version)).toBe(honours);
    });
  });

  test.each([
    ['0', 0],
    ['-1', -1],
    [' 7 ', 7],
    ['', -1],
    ['1.5', -1],
    ['99999999999', -1],
    [3, 3],
    [undefined, -1],
  ])('the exit status %j is read as %i', (text, status) => {
    expect(readExitStatus(text)).toBe(status);
  });

  test('old agents may use their session token for every request about their job', async () => {
    const { first } = await buildOf(world, oneCommand);
    const agent = await connected({ version: '3.20.0' });
    await agent.ping();
    await agent.accept(first.id);
    agent.jobToken = agent.session;
    await agent.start(first.id).expect(200);
    await agent.chunk(first.id, 1, 0, 'hello').expect(201);
    await agent.state(first.id).expect(200, { state: 'running' });
    await agent.finish(first.id).expect(200);
    const stranger = await connected();
    await stranger.call('get', `/jobs/${first.id}`).expect(200, { state: 'canceled' });
    await stranger.call('put', `/jobs/${first.id}/finish`).send({ exit_status: '0' }).expect(422);
  });

  test('a job token gives access to its own job only, and expires an hour after the job ends', async () => {
    const [one, two] = [await buildOf(world, oneCommand), await buildOf(world, oneCommand)];
    const [agent, other] = [await connected(), await connected()];
    const [a, b] = [await agent.takeJob(), await other.takeJob()];
    expect([a, b].sort()).toEqual([one.first.id, two.first.id].sort());
    await agent.state(b).expect(404);
    await agent.finish(b).expect(404);
    await agent.call('put', `/jobs/${a}/accept`, agent.jobToken).expect(403);
    await agent.finish(a).expect(200);
    await agent.chunk(a, 1, 0, 'late').expect(201);
    world.clock.advance(3601);
    await agent.chunk(a, 2, 4, 'later').expect(401);
  });

  describe('PUT /jobs/:id/acquire', () => {
    const acquire = (agent: ScriptedAgent, id: string) =>
      agent.call('put', `/jobs/${id}/acquire`).set('X-Buildkite-Lock-Acquire-Job', '1');

    test('acquiring assigns the named job to the agent whatever its queue rules, and may be repeated', async () => {
      const { first } = await buildOf(world, 'steps: [{ command: "true", agents: { queue: macos, os: mac } }]');
      const agent = await connected({ ignore_in_dispatches: true });
      expect(await agent.ping()).toEqual({});
      const { body } = await acquire(agent, first.id).expect(200);
      expect(body).toMatchObject({ id: first.id, state: 'accepted', token: expect.any(String) });
      expect((await acquire(agent, first.id).expect(200)).body).toEqual(body);
      agent.jobToken = body.token;
      const events = await world.services.db
        .selectFrom('events')
        .select(['type', 'fromState', 'toState', 'agentId'])
        .where('jobId', '=', first.id)
        .where('type', '=', 'job.acquire')
        .execute();
      expect(events).toEqual([
        { type: 'job.acquire', fromState: 'scheduled', toState: 'accepted', agentId: expect.any(String) },
      ]);
      await agent.start(first.id).expect(200);
      await acquire(await connected(), first.id).expect(422);
      await agent.finish(first.id).expect(200);
      await acquire(await connected(), first.id).expect(422);
    });

    test('acquiring is answered 423 with Retry-After while the job waits, and 404 for an unknown job', async () => {
      const { jobs } = await buildOf(world, 'steps: [{ command: "a" }, wait, { command: "b" }]');
      const agent = await connected({ ignore_in_dispatches: true });
      const response = await acquire(agent, jobs[1]!.id).expect(423);
      expect(response.headers['retry-after']).toMatch(/^\d+$/);
      expect(response.body).toEqual({ message: expect.stringMatching(/yet/) });
      await acquire(agent, '00000000-0000-7000-8000-000000000000').expect(404);
      await acquire(agent, jobs[0]!.id).expect(200);
      await acquire(agent, (await buildOf(world, oneCommand)).first.id).expect(422);
    });
  });
});
