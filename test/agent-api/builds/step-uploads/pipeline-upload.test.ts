import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import type { Response } from 'supertest';
import { forgetStepUploads } from '../../../../src/background/retention/forget-step-uploads.js';
import { limits } from '../../../../src/domain/limits/limits.js';
import { cancelBuild } from '../../../../src/operations/builds/cancel.js';
import { readJobEnv } from '../../../../src/operations/builds/jobs/read-env.js';
import { unblockJob } from '../../../../src/operations/builds/jobs/unblock.js';
import { retryJob } from '../../../../src/operations/builds/jobs/retry.js';
import { JobRunner } from '../../../support/job-runner.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../../support/scripted-agent.js';
import { World } from '../../../support/world.js';

describe('a pipeline upload', () => {
  let world: World;
  let app: Express;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
    runner = new JobRunner(world);
  });
  afterAll(() => world.close());
  // Each test starts with an empty queue.
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', 'in', ['scheduled', 'limited', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    world.clock.advance(60);
  });

  interface Uploader {
    agent: ScriptedAgent;
    build: string;
    job: string;
    send(pipeline: unknown, fields?: object): Promise<Response>;
  }

  /** A build whose first command runs on an agent, and what that agent can upload. */
  async function uploading(steps: string, fields: Record<string, unknown> = {}): Promise<Uploader> {
    const { build } = await buildOf(world, steps, fields);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    return {
      agent,
      build: build.id,
      job,
      send: async (pipeline, more = {}) =>
        agent.call('post', `/jobs/${job}/pipelines`, agent.jobToken).send({ uuid: randomUUID(), pipeline, ...more }),
    };
  }

  const steps = (...all: unknown[]) => ({ steps: all });
  const command = (label: string, more: object = {}) => ({ command: label, label, ...more });

  /** The labels of a build's steps in order, members of a group in brackets; waits are dashes. */
  async function order(build: string): Promise<string> {
    const rows = await world.services.db
      .selectFrom('steps')
      .select(['label', 'type', 'groupId', 'position'])
      .where('buildId', '=', build)
      .orderBy('position')
      .execute();
    expect(new Set(rows.map(({ position }) => position)).size).toBe(rows.length);
    return rows
      .map(({ label, type, groupId }) => (type === 'wait' ? '-' : groupId === null ? label : `(${label})`))
      .join(' ');
  }

  const states = async (build: string) =>
    Object.fromEntries((await runner.jobs(build)).map((job) => [job.label ?? job.type, job.state]));
  const ofLabel = async (build: string, label: string) =>
    (await runner.jobs(build)).find((job) => job.label === label)!;
  const uploads = (build: string) =>
    world.services.db.selectFrom('step_uploads').selectAll().where('buildId', '=', build).orderBy('id').execute();

  test('its steps follow the uploading step, and those of a later upload come before those of an earlier one', async () => {
    const { send, build } = await uploading('steps: [{ command: u, label: U }, wait, { command: c, label: C }]');
    expect((await send(steps(command('X1'), command('X2')))).status).toBe(200);
    expect((await send(steps(command('Y')))).status).toBe(200);
    expect(await order(build)).toBe('U Y X1 X2 - C');
    const jobs = await runner.jobs(build);
    expect(jobs.map(({ label }) => label)).toEqual(['U', 'Y', 'X1', 'X2', null, 'C']);
    const [u, ...others] = jobs;
    expect(others.filter(({ label }) => label?.match(/[XY]/)).map((job) => job.scheduledAt)).toEqual(
      Array.from({ length: 3 }, () => u!.scheduledAt),
    );
  });

  test('a wait after the uploading step waits for what it uploaded, and for what that uploaded', async () => {
    const { send, build, agent, job } = await uploading(
      'steps: [{ command: u, label: U }, wait, { command: c, label: C }]',
    );
    await send(steps(command('B1'), command('B2')));
    await agent.finish(job).expect(200);
    expect(await states(build)).toMatchObject({ B1: 'scheduled', B2: 'scheduled', wait: 'waiting', C: 'waiting' });
    const inner = await agent.takeJob();
    await agent
      .call('post', `/jobs/${inner}/pipelines`, agent.jobToken)
      .send({ uuid: randomUUID(), pipeline: steps(command('B3')) })
      .expect(200);
    await agent.finish(inner).expect(200);
    for (const label of ['B2', 'B3']) {
      expect(await states(build)).toMatchObject({ C: 'waiting' });
      await runner.run((await ofLabel(build, label)).id);
    }
    expect(await states(build)).toMatchObject({ wait: 'finished', C: 'scheduled' });
    await runner.runAll(build);
    expect(await buildNow(world, build)).toMatchObject({ state: 'passed' });
  });

  test('an upload sent again has no second effect, even once its job has ended', async () => {
    const { send, build, agent, job } = await uploading('steps: [{ command: u, label: U }]');
    const uuid = randomUUID();
    for (let time = 0; time < 3; time += 1) expect((await send(steps(command('X')), { uuid })).status).toBe(200);
    await agent.finish(job).expect(200);
    expect((await send(steps(command('X')), { uuid })).status).toBe(200);
    expect(await order(build)).toBe('U X');
    expect(await uploads(build)).toMatchObject([
      { uuid, jobId: job, state: 'applied', sequence: 1, stepsCount: 1, jobsCount: 1, replace: false },
    ]);
  });

  test('its outcome can be asked for by its uuid, and asking for an unknown one ends the agent’s polling', async () => {
    const { send, agent, job } = await uploading('steps: [{ command: u, label: U }]');
    const ask = (uuid: string, token = agent.jobToken) => agent.call('get', `/jobs/${job}/pipelines/${uuid}`, token);
    const [uuid, rejected] = [randomUUID(), randomUUID()];
    const { body } = await agent
      .call('post', `/jobs/${job}/pipelines?async=true`, agent.jobToken)
      .send({ uuid, pipeline: steps(command('X')) })
      .expect(200);
    expect(body).toEqual({ uuid, state: 'applied' });
    await ask(uuid).expect(200, { uuid, state: 'applied' });
    await send({ steps: 1 }, { uuid: rejected });
    await ask(rejected).expect(200, { uuid: rejected, state: 'rejected', message: 'steps: "steps" must be a list.' });
    for (const unknown of [randomUUID(), 'nonsense'])
      await ask(unknown).expect(422, { message: 'The job has no such pipeline upload' });
  });

  test.each([
    ['a document without steps', { env: {} }, /^steps: The definition has no "steps"\.$/],
    ['a step of no known kind', { steps: [{ label: 'x' }] }, /^steps\[0\]: The step has no type/],
    [
      'one key twice',
      steps(command('A', { key: 'k' }), command('B', { key: 'k' })),
      /^steps\[1\]\.key: The key "k" has already been used by another step in this build$/,
    ],
    [
      'a key of the build',
      steps(command('A', { key: 'taken' })),
      /^The key "taken" has already been used by another step in this build$/,
    ],
    [
      'a key of the build inside a group',
      steps({ group: 'G', steps: [command('A', { key: 'taken' })] }),
      /^The key "taken" has already been used/,
    ],
    ['a condition that cannot be read', steps(command('A', { if: 'build.nope == 1' })), /^steps\[0\]\.if: .*column/],
    [
      'a group inside a group',
      steps({ group: 'G', steps: [{ group: 'H', steps: ['wait'] }] }),
      /A group cannot be inside another group/,
    ],
    [
      'more jobs than an upload may have',
      steps(command('A', { parallelism: 500 }), command('B')),
      /^steps: The definition makes more than 500 jobs\.$/,
    ],
    [
      'an undecided `if_changed`',
      steps(command('A', { if_changed: '*.go' })),
      /^steps\[0\]\.if_changed: Only the agent that uploads a step can decide "if_changed"/,
    ],
    [
      'text that is not YAML',
      'steps:\n  - command: a\n   - command: b\n',
      /^The definition is not valid YAML: .* at line 3, column/,
    ],
    [
      'too large an environment',
      { env: { A: 'x'.repeat(limits.envBytes) }, steps: [] },
      /^env: "env" has 262152 bytes; it may have at most 262144\.$/,
    ],
  ])('with %s is refused with the reason and changes nothing', async (_what, pipeline, message) => {
    const { send, build } = await uploading('steps: [{ command: u, label: U, key: taken }]');
    const response = await send(pipeline);
    expect([response.status, response.body.message]).toEqual([422, expect.stringMatching(message)]);
    expect(await order(build)).toBe('U');
    expect(await uploads(build)).toMatchObject([{ state: 'rejected', message: response.body.message, sequence: 0 }]);
    expect(await buildNow(world, build)).toMatchObject({ uploadCount: 0, pipelineEnv: {} });
  });

  test('without a pipeline or with a bad uuid is refused', async () => {
    const { send } = await uploading('steps: [{ command: u, label: U }]');
    expect(await send(undefined)).toMatchObject({
      status: 422,
      body: { message: 'Validation Failed: pipeline must be a pipeline with steps' },
    });
    expect((await send(steps('wait'), { uuid: 'x' })).status).toBe(422);
  });

  test('is refused unless its job and its build run', async () => {
    const { send, agent, job } = await uploading('steps: [{ command: u, label: U }, wait, { command: c }]');
    await agent.finish(job).expect(200);
    const refusal = { status: 422, body: { message: 'You can only change the pipeline of a running build' } };
    expect(await send(steps(command('X')))).toMatchObject(refusal);
    const other = await uploading('steps: [{ command: u, label: U }]');
    await world.perform(world.admin, cancelBuild, { build: { id: other.build } });
    expect(await other.send(steps(command('X')))).toMatchObject(refusal);
    expect(
      (
        await agent
          .call('post', `/jobs/${other.job}/pipelines`, agent.jobToken)
          .send({ uuid: randomUUID(), pipeline: steps('wait') })
      ).status,
    ).toBe(404);
  });

  test('matrix, parallelism, groups, blocks and triggers are expanded, and their jobs wait for what they depend on', async () => {
    const { send, build, agent, job } = await uploading('steps: [{ command: u, label: U }]');
    const response = await send(
      steps(
        command('M {{matrix}}', { matrix: ['a', 'b'] }),
        command('P %n', { parallelism: 3 }),
        { group: 'G', key: 'g', steps: [command('G1'), command('G2', { skip: 'later' })] },
        { block: 'Go?', depends_on: 'g' },
        { ...command('D'), depends_on: [{ step: 'g', allow_failure: true }] },
        { trigger: 'other', label: 'T', depends_on: 'g' },
        command('N', { if: 'build.branch == "other"' }),
      ),
    );
    expect(response.status).toBe(200);
    // With a group or a dependency in the build, uploaded steps wait for their uploader.
    expect(await states(build)).toMatchObject({ 'M a': 'waiting', G1: 'waiting', 'Go?': 'waiting' });
    await agent.finish(job).expect(200);
    expect((await runner.jobs(build)).map(({ label, type, state }) => `${label} ${type} ${state}`)).toEqual([
      'U command finished',
      'M a command scheduled',
      'M b command scheduled',
      'P 0 command scheduled',
      'P 1 command scheduled',
      'P 2 command scheduled',
      'G1 command scheduled',
      'G2 command broken',
      'Go? block waiting',
      'D command waiting',
      'T trigger waiting',
      'N command broken',
    ]);
  });

  test('`replace` removes the steps that have not started, and their keys can be used again', async () => {
    const { send, build, job, agent } = await uploading(
      `steps:
        - { command: u, label: U, key: u }
        - { command: r, label: R, parallelism: 2 }
        - { group: G, key: g, steps: [{ command: a, label: A, key: a }, { command: o, label: O, skip: true }] }
        - wait
        - { command: c, label: C, key: c, depends_on: a }
        - { trigger: t, label: T }`,
    );
    await runner.start((await ofLabel(build, 'R')).id);
    expect((await send(steps(command('N', { key: 'a' })), { replace: true })).status).toBe(200);
    expect(await order(build)).toBe('U N R');
    expect(await runner.states(build)).toEqual(['running', 'scheduled', 'running', 'scheduled']);
    expect(await uploads(build)).toMatchObject([{ replace: true, removedJobsCount: 5, jobsCount: 1 }]);
    await agent.finish(job).expect(200);
    await runner.finish((await ofLabel(build, 'R')).id, 0);
    await runner.runAll(build);
    expect(await buildNow(world, build)).toMatchObject({ state: 'passed' });
  });

  test('its environment reaches every step of the build that has not started, and no other', async () => {
    const { send, build, job, agent } = await uploading(
      'env: { BASE: b, SAME: old }\nsteps: [{ command: u, label: U }, { command: c, label: C, env: { MINE: step } }]',
      { env: { OWN: 'build' } },
    );
    const env = async (id: string) => (await world.perform(world.admin, readJobEnv, { job: { id } })).env;
    const before = await env(job);
    const upload = {
      env: {
        ADDED: 'yes',
        SAME: 'new',
        OWN: 'pipeline',
        MINE: 'pipeline',
        BUILDKITE_AGENT_ACCESS_TOKEN: 'stolen',
        BUILDKITE_BRANCH: 'x',
      },
      steps: [command('X', { if: 'build.env("ADDED") == "yes"' })],
    };
    expect((await send(upload)).status).toBe(200);
    expect(await env(job)).toEqual(before);
    const added = { BASE: 'b', SAME: 'new', ADDED: 'yes', OWN: 'build', BUILDKITE_BRANCH: 'main' };
    expect(await env((await ofLabel(build, 'X')).id)).toMatchObject({ ...added, MINE: 'pipeline' });
    expect(await env((await ofLabel(build, 'C')).id)).toMatchObject({ ...added, MINE: 'step' });
    expect(await env((await ofLabel(build, 'C')).id)).not.toHaveProperty('BUILDKITE_AGENT_ACCESS_TOKEN');
    await send({ env: { SAME: 'newest' }, steps: [] });
    const next = await ScriptedAgent.connected(app, world.agentToken);
    const second = await next.takeJob();
    await send({ env: { SAME: 'last', LATE: '1' }, steps: [] });
    expect(await env(second)).toMatchObject({ SAME: 'newest' });
    expect(await env(second)).not.toHaveProperty('LATE');
    expect(await env(job)).toEqual(before);
    await next.finish(second, { exit_status: '1' }).expect(200);
    await agent.finish(job).expect(200);
    await world.perform(world.admin, retryJob, { job: { id: second } });
    expect(await env((await jobNow(world, second)).retriedInJobId!)).toMatchObject({ SAME: 'last', LATE: '1' });
  });

  test('agents, priority, secrets, image and cache at its top are those of its steps, and `notify` joins the build’s', async () => {
    const { send, build } = await uploading(
      'notify: [{ email: a@example.com }]\nsteps: [{ command: u, label: U }, { command: c, label: C }]',
    );
    const upload = {
      agents: { queue: 'default', os: 'mac' },
      priority: 7,
      secrets: ['TOKEN'],
      image: 'node:24',
      cache: 'node_modules',
      notify: [{ email: 'a@example.com' }, { email: 'b@example.com' }],
      steps: [command('X'), command('Y', { agents: { os: 'linux' }, priority: -1 })],
    };
    expect((await send(upload)).status).toBe(200);
    const of = async (label: string) => {
      const job = await ofLabel(build, label);
      const step = await world.services.db
        .selectFrom('steps')
        .select('definition')
        .where('id', '=', job.stepId)
        .executeTakeFirstOrThrow();
      const { secrets, image, cache } = step.definition;
      return { rules: job.agentQueryRules, priority: job.priority, secrets, image, cache };
    };
    const shared = {
      secrets: [{ key: 'TOKEN', environment_variable: 'TOKEN' }],
      image: 'node:24',
      cache: 'node_modules',
    };
    expect(await of('X')).toEqual({ rules: ['queue=default', 'os=mac'], priority: 7, ...shared });
    expect(await of('Y')).toEqual({ rules: ['os=linux'], priority: -1, ...shared });
    expect(await of('C')).toMatchObject({ rules: [], priority: 0, secrets: null });
    expect((await buildNow(world, build)).notify).toEqual([{ email: 'a@example.com' }, { email: 'b@example.com' }]);
  });

  test('steps of a first group with the label of the uploading step’s group join it; everything else follows it', async () => {
    const { send, build } = await uploading(
      'steps: [{ group: G, steps: [{ command: u, label: U }, { command: v, label: V }] }, { command: c, label: C }]',
    );
    await send(steps({ group: 'G', steps: [command('A'), command('B')] }, { group: 'G', steps: [command('H')] }));
    expect(await order(build)).toBe('G (U) (A) (B) (V) G (H) C');
    await send(steps(command('X')));
    expect(await order(build)).toBe('G (U) (A) (B) (V) X G (H) C');
  });

  test('a step that waits for a key runs once the step with the key is uploaded and has passed', async () => {
    const { send, build, agent, job } = await uploading(
      'steps: [{ command: u, label: U }, { command: c, label: C, depends_on: later }]',
    );
    await send(steps(command('L', { key: 'later' })));
    await agent.finish(job).expect(200);
    expect(await states(build)).toMatchObject({ L: 'scheduled', C: 'waiting' });
    await runner.runAll(build);
    expect(await buildNow(world, build)).toMatchObject({ state: 'passed' });
  });

  test('a job that waits for one from behind a block has no older place in the queue of its group', async () => {
    const { build, jobs } = await buildOf(
      world,
      'steps: [{ block: Go }, { command: u, label: U }, { command: y, label: Y, key: y, concurrency: 1, concurrency_group: h }]',
    );
    const block = (await runner.jobs(build.id)).find(({ type }) => type === 'block')!;
    world.clock.advance(30);
    await world.perform(world.admin, unblockJob, { job: { id: block.id } });
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    expect(await agent.takeJob()).toBe(jobs[0]!.id);
    const waiting = command('X', { depends_on: 'y', concurrency: 1, concurrency_group: 'g' });
    await agent
      .call('post', `/jobs/${jobs[0]!.id}/pipelines`, agent.jobToken)
      .send({ uuid: randomUUID(), pipeline: steps(waiting, command('Z')) })
      .expect(200);
    const place = (await ofLabel(build.id, 'Y')).concurrencyQueuedAt;
    expect(place).toEqual(new Date(build.createdAt.getTime() + 30_000));
    expect((await ofLabel(build.id, 'X')).concurrencyQueuedAt).toEqual(place);
    expect((await ofLabel(build.id, 'Z')).concurrencyQueuedAt).toBeNull();
  });

  test('a build has at most 500 uploads and 4,000 jobs', async () => {
    const { send, build, agent } = await uploading('steps: [{ command: u, label: U }]');
    const set = (uploadCount: number) =>
      world.services.db.updateTable('builds').set({ uploadCount }).where('id', '=', build).execute();
    await set(499);
    expect((await send(steps(command('X')))).status).toBe(200);
    expect(await send(steps(command('Y')))).toMatchObject({
      status: 422,
      body: { message: 'A build can have at most 500 pipeline uploads' },
    });
    await set(1);
    const many = { steps: [command('M', { parallelism: 500 })] };
    for (let full = 0; full < 7; full += 1) expect((await send(many)).status).toBe(200);
    expect((await send({ steps: [command('M', { parallelism: 498 })] })).status).toBe(200);
    expect((await send(steps(command('last')))).body.message).toBe(
      'A build can have at most 4000 jobs; with this upload this one would have 4001.',
    );
    expect((await agent.call('get', '/ping')).status).toBe(200);
  }, 120_000);

  test('its text is kept for thirty days unless it is long; the upload itself stays', async () => {
    const { send, build } = await uploading('steps: [{ command: u, label: U }]');
    await send(steps(command('X')));
    const half = { env: { LONG: 'x'.repeat(limits.uploadKeptBytes / 2) } };
    await send(steps(command('Y', half), command('Z', half)));
    const text = JSON.stringify(steps(command('X')));
    expect((await uploads(build)).map((each) => each.definition)).toEqual([text, null]);
    expect((await uploads(build)).map((each) => each.definitionBytes > limits.uploadKeptBytes)).toEqual([false, true]);
    world.clock.advance(29 * 86_400);
    await forgetStepUploads(world.services);
    expect((await uploads(build))[0]?.definition).toBe(text);
    world.clock.advance(86_400 + 1);
    expect(await forgetStepUploads(world.services)).toBeGreaterThan(0);
    expect((await uploads(build)).map(({ definition, state }) => [definition, state])).toEqual([
      [null, 'applied'],
      [null, 'applied'],
    ]);
  });

  test('an upload is an event of its job', async () => {
    const { send, job } = await uploading('steps: [{ command: u, label: U }]');
    await send(steps(command('X'), 'wait'));
    const events = await world.services.db.selectFrom('events').selectAll().where('jobId', '=', job).execute();
    expect(events.find((event) => event.type === 'job.upload')).toMatchObject({
      fromState: 'running',
      toState: 'running',
      reason: '2 steps were uploaded',
      actorType: 'agent',
    });
  });
});
