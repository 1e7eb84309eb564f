import { randomUUID } from 'node:crypto';
import { runUntilIdle } from '../../support/run-until-idle.js';
import { createSecret } from '../../../src/operations/agents/secrets/create.js';
import type { BuildRow } from '../../../src/entities/database.js';
import { ArtifactWorld } from '../../support/artifact-world.js';
import type { Data } from '../../support/both-surfaces.js';
import { agentApp, buildOf, ScriptedAgent } from '../../support/scripted-agent.js';
import type { World } from '../../support/world.js';

/**
 * What an agent of the protocol needs of a server, from its registration to the kill of its machine: one story each, by
 * the calls that agents make, seen from outside through /v2 (docs/agents.md#what-agents-can-rely-on).
 */
describe('an agent of the open protocol', () => {
  let on: ArtifactWorld;
  let world: World;
  beforeAll(async () => {
    on = await ArtifactWorld.create();
    world = on.world;
  });
  afterAll(() => on.close());
  // Each story starts with an empty queue and no agents.
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null, agentId: null })
      .where('state', 'in', ['scheduled', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    await world.services.db.updateTable('agents').set({ connectionState: 'disconnected' }).execute();
    world.clock.advance(60);
  });

  const connected = (fields: object = {}) => ScriptedAgent.connected(on.app, world.agentToken, fields as never);
  const shown = async (path: string): Promise<Data> =>
    (await on.rest('get', `/organizations/acme${path}`).expect(200)).body;
  const jobShown = (id: string) => shown(`/jobs/${id}`);
  const logOf = async (id: string) =>
    (await on.rest('get', `/organizations/acme/jobs/${id}/log.txt`).expect(200)).text as string;
  async function buildShown({ id }: BuildRow): Promise<Data> {
    const builds: Data[] = await shown('/builds?per_page=100');
    return builds.find((each) => each.id === id);
  }
  /** An agent that runs the first job of a build with these steps. */
  async function running(steps: string, fields: object = {}) {
    const { build, jobs } = await buildOf(world, steps);
    const agent = await connected(fields);
    const job = await agent.takeJob();
    const call = (method: 'get' | 'post' | 'put' | 'delete', path: string, body: object = {}) =>
      agent.call(method, path, agent.jobToken).send(body);
    return { build, jobs, agent, job, call };
  }

  test('registers, connects, pings in vain, shows signs of life and leaves', async () => {
    const agent = await connected({ name: 'builder-%n' });
    expect(await agent.ping()).toEqual({});
    await agent.call('post', '/heartbeat').send({ sent_at: '2026-01-02T03:04:05Z' }).expect(200);
    expect(await shown(`/agents/${agent.id}`)).toMatchObject({ name: 'builder-1', connection_state: 'connected' });
    await agent.call('post', '/disconnect').expect(200);
    expect(await shown(`/agents/${agent.id}`)).toMatchObject({ connection_state: 'disconnected' });
  });

  test('runs a job that passes, whose log is what it sent, without the marks of time', async () => {
    const { build, agent, job } = await running('steps: [{ command: echo hello }]');
    const bytes = '\x1b_bk;t=1767323045123\x07hello\r\n';
    await agent.chunk(job, 1, 0, bytes).expect(201);
    await agent.finish(job).expect(200);
    expect(await jobShown(job)).toMatchObject({ state: 'passed', exit_status: 0 });
    expect(await buildShown(build)).toMatchObject({ state: 'passed' });
    expect(await logOf(job)).toContain('hello');
  });

  test('reports exit status 3, and the build fails', async () => {
    const { build, agent, job } = await running('steps: [{ command: exit 3 }]');
    await agent.finish(job, { exit_status: '3' }).expect(200);
    expect(await jobShown(job)).toMatchObject({ state: 'failed', exit_status: 3 });
    expect(await buildShown(build)).toMatchObject({ state: 'failed' });
  });

  test('sends a megabyte of output in chunks that arrive in any order, and none of it is lost', async () => {
    const { agent, job } = await running('steps: [{ command: yes }]');
    const size = 100_000;
    const chunks = Array.from({ length: 11 }, (_, index) => `${String.fromCharCode(97 + index)}`.repeat(size));
    const order = chunks.map((_, index) => index).sort((a, b) => ((a * 7) % 11) - ((b * 7) % 11));
    for (const index of order) await agent.chunk(job, index + 1, index * size, chunks[index] ?? '').expect(201);
    await agent.finish(job).expect(200);
    expect(await logOf(job)).toBe(chunks.join(''));
  });

  test('stops a job that is canceled, whether it obeys at once or is given up', async () => {
    const { agent, job } = await running('steps: [{ command: sleep 60 }]');
    await on.rest('put', `/organizations/acme/jobs/${job}/cancel`).expect(200);
    await agent.state(job).expect(200, { state: 'canceling' });
    await agent.finish(job, { exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' }).expect(200);
    expect(await jobShown(job)).toMatchObject({ state: 'canceled', signal: 'SIGTERM' });
    const deaf = await running('steps: [{ command: sleep 60 }]');
    await on.rest('put', `/organizations/acme/jobs/${deaf.job}/cancel`).expect(200);
    world.clock.advance(31);
    await runUntilIdle(world.services);
    expect(await jobShown(deaf.job)).toMatchObject({ state: 'canceled' });
  });

  test('stops a job that runs longer than its timeout', async () => {
    const { agent, job } = await running('steps: [{ command: sleep 600, timeout_in_minutes: 1 }]');
    world.clock.advance(61);
    await runUntilIdle(world.services);
    await agent.state(job).expect(200, { state: 'timing_out' });
    await agent.finish(job, { exit_status: '-1', signal: 'SIGTERM', signal_reason: 'cancel' }).expect(200);
    expect(await jobShown(job)).toMatchObject({ state: 'timed_out' });
  });

  test('uploads steps that follow its own, with a group, a wait, a block and a matrix, while the build keeps running', async () => {
    const { build, agent, job, call } = await running(
      'steps: [{ command: upload, label: Upload }, { command: last, label: Last }]',
    );
    const pipeline = {
      steps: [
        { group: 'Tests', steps: [{ command: 'test {{matrix}}', label: 'Test {{matrix}}', matrix: ['a', 'b'] }] },
        { wait: null },
        { block: 'Release?' },
        { command: 'ship', label: 'Ship' },
      ],
    };
    await call('post', `/jobs/${job}/pipelines`, { uuid: randomUUID(), pipeline }).expect((reply) =>
      expect(reply.status).toBeLessThan(300),
    );
    await agent.finish(job).expect(200);
    const { state, jobs } = await buildShown(build);
    expect(state).toBe('running');
    expect(jobs.map(({ name, label, type }: Data) => name ?? label ?? type)).toEqual([
      ...['Upload', 'Test a', 'Test b', 'waiter', 'Release?', 'Ship', 'Last'],
    ]);
  });

  test('sets, gets, lists and tests meta-data, and a missing key is a clear 404', async () => {
    const { build, job, call } = await running('steps: [{ command: x }]');
    await call('post', `/jobs/${job}/data/set`, { key: 'release', value: '1.2' }).expect(200);
    await call('post', `/jobs/${job}/data/get`, { key: 'release' }).expect(200, { key: 'release', value: '1.2' });
    await call('post', `/jobs/${job}/data/exists`, { key: 'other' }).expect(200, { exists: false });
    await call('post', `/jobs/${job}/data/keys`).expect(200, ['release']);
    await call('post', `/jobs/${job}/data/get`, { key: 'other' }).expect(404);
    expect(await buildShown(build)).toMatchObject({ meta_data: { release: '1.2' } });
  });

  test('annotates the build, adds to an annotation, styles it and removes it', async () => {
    const { build, job, call } = await running('steps: [{ command: x }]');
    const annotate = (body: object) =>
      call('post', `/jobs/${job}/annotations`, { context: 'tests', ...body }).expect(201);
    await annotate({ body: 'one' });
    await annotate({ body: ' two', append: true, style: 'error' });
    const annotations = `${(await buildShown(build)).url.replace('http://slipway.test/v2/organizations/acme', '')}/annotations`;
    expect(await shown(annotations)).toMatchObject([
      { context: 'tests', style: 'error', body_html: '<p>one two</p>\n' },
    ]);
    await call('delete', `/jobs/${job}/annotations/tests`).expect((reply) => expect(reply.status).toBeLessThan(300));
    expect(await shown(annotations)).toEqual([]);
  });

  test('uploads artifacts that a later job finds, downloads and checks by their sums', async () => {
    const holder = await on.holding('steps: [{ command: make }, wait, { command: use }]');
    await on.upload(holder, { 'out/app.txt': 'hello' });
    await holder.agent.finish(holder.job).expect(200);
    const later = await holder.agent.takeJob();
    expect(later).not.toBe(holder.job);
    const { body } = await holder.agent
      .call(
        'get',
        `/builds/${holder.build.id}/artifacts/search?query=out%2F*.txt&state=finished`,
        holder.agent.jobToken,
      )
      .expect(200);
    expect(body).toMatchObject([{ path: 'out/app.txt', sha1sum: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d' }]);
    expect((await on.follow('get', body[0].url).buffer(true)).text).toBe('hello');
  });

  test('reads, changes and cancels steps, changes its own timeout and cancels its build', async () => {
    const { build, job, call } = await running(
      'steps: [{ command: x, key: own, timeout_in_minutes: 5 }, { command: y, key: other, label: Other }]',
    );
    const { body } = await call('post', '/steps/other/export', { build_id: build.id, attribute: 'label' }).expect(200);
    expect(body.output).toBe('Other');
    const update = { idempotency_uuid: randomUUID(), build_id: build.id, attribute: 'label', value: 'Renamed' };
    await call('put', '/steps/other', update).expect(200);
    await call('post', '/steps/other/cancel', { build_id: build.id }).expect(200);
    const [, other] = (await buildShown(build)).jobs;
    expect(other).toMatchObject({ name: 'Renamed', state: 'canceled' });
    await call('put', `/jobs/${job}`, { timeout: 9 }).expect((reply) => expect(reply.status).toBeLessThan(300));
    await call('post', `/builds/${build.id}/cancel`).expect(200);
    expect(await buildShown(build)).toMatchObject({ state: 'canceling' });
  });

  test('acquires one named job: taken ones are refused, waiting ones are asked for again', async () => {
    const { jobs } = await buildOf(world, 'steps: [{ command: a }, wait, { command: b }]');
    const acquire = (agent: ScriptedAgent, id = '') => agent.call('put', `/jobs/${id}/acquire`);
    const [first, second] = [await connected(), await connected()].map((agent) => agent);
    await acquire(second!, jobs[1]?.id).expect(423);
    const { body } = await acquire(first!, jobs[0]?.id).expect(200);
    first!.jobToken = body.token;
    await acquire(second!, jobs[0]?.id).expect(422);
    await first!.start(body.id).expect(200);
    await first!.finish(body.id).expect(200);
    await acquire(second!, jobs[1]?.id).expect(200);
  });

  test('leaves after one job, and the next job goes to another agent', async () => {
    const { agent, job, jobs } = await running('steps: [{ command: a }, { command: b }]');
    await agent.finish(job, { ignore_agent_in_dispatches: true }).expect(200);
    expect(await agent.ping()).toEqual({});
    await agent.call('post', '/disconnect').expect(200);
    expect(await (await connected()).takeJob()).toBe(jobs[1]?.id);
  });

  test('is paused, resumed and stopped by people', async () => {
    const agent = await connected();
    const path = `/organizations/acme/agents/${agent.id}`;
    await on.rest('put', `${path}/pause`).expect((reply) => expect(reply.status).toBeLessThan(300));
    const { first } = await buildOf(world, 'steps: [{ command: x }]');
    expect(await agent.ping()).toMatchObject({ action: 'pause' });
    await on.rest('put', `${path}/resume`).expect((reply) => expect(reply.status).toBeLessThan(300));
    expect(await agent.takeJob()).toBe(first.id);
    await on.rest('put', `${path}/stop`).expect((reply) => expect(reply.status).toBeLessThan(300));
    await agent.finish(first.id).expect((reply) => expect(reply.status).toBeLessThan(300));
    expect(await agent.ping()).toMatchObject({ action: 'disconnect' });
  });

  test('is killed with its job: the agent is lost, and the job ends with -1', async () => {
    const { agent, job } = await running('steps: [{ command: x }]');
    await world.services.db.updateTable('agents').set({ heardMs: -1_000_000 }).where('id', '=', agent.id).execute();
    await runUntilIdle(world.services);
    expect(await shown(`/agents/${agent.id}`)).toMatchObject({ connection_state: 'lost' });
    expect(await jobShown(job)).toMatchObject({ state: 'failed', exit_status: -1 });
    expect(await shown(`/jobs/${job}/explanation`)).toMatchObject({ reason: 'agent_lost' });
  });

  test('goes on with another process of the server in the middle of a job, and nothing is lost', async () => {
    const { agent, job } = await running('steps: [{ command: x }]');
    await agent.chunk(job, 1, 0, 'before ').expect(201);
    const restarted = new ScriptedAgent(agentApp(world), world.agentToken);
    Object.assign(restarted, { id: agent.id, session: agent.session, jobToken: agent.jobToken });
    await restarted.chunk(job, 1, 0, 'before ').expect(201);
    await restarted.chunk(job, 2, 7, 'after').expect(201);
    await restarted.finish(job).expect(200);
    await restarted.finish(job).expect(200);
    expect(await logOf(job)).toBe('before after');
    expect(await jobShown(job)).toMatchObject({ state: 'passed' });
  });

  test('gets the secrets of its step, and steps as they were signed', async () => {
    await world.perform(world.admin, createSecret, {
      cluster: { id: world.clusterId },
      key: 'KEY',
      value: 'secret value',
    });
    const secrets = [{ key: 'KEY', environment_variable: 'KEY' }];
    const signature = {
      algorithm: 'EdDSA',
      signed_fields: ['command', 'env', 'matrix', 'plugins', 'repository_url'],
      value: 'a..b',
    };
    await buildOf(world, JSON.stringify({ steps: [{ command: 'x', secrets, env: { A: '1' }, signature }] }));
    const agent = await connected();
    const { job } = await agent.ping();
    const { body } = await agent.accept(job!.id);
    expect(body.step).toMatchObject({ command: 'x', env: { A: '1' }, signature });
    expect(body.step.secrets).toEqual(secrets);
    await agent.start(job!.id).expect(200);
    const { body: secret } = await agent.call('get', `/jobs/${job!.id}/secrets?key=KEY`, agent.jobToken).expect(200);
    expect(secret).toMatchObject({ key: 'KEY', value: 'secret value' });
  });

  test('runs a job without a checkout where the pipeline says so', async () => {
    await buildOf(world, 'env: { BUILDKITE_SKIP_CHECKOUT: "true" }\nsteps: [{ command: x }]');
    const agent = await connected();
    const { job } = await agent.ping();
    expect((await agent.accept(job!.id)).body.env).toMatchObject({ BUILDKITE_SKIP_CHECKOUT: 'true' });
  });

  test('shares jobs with another agent by tags, queues and priorities', async () => {
    const { jobs } = await buildOf(
      world,
      'steps: [{ command: a, agents: { os: linux } }, { command: b, agents: { queue: macos } }, { command: c, priority: 5 }]',
    );
    const [linux, mac] = [
      await connected({ meta_data: ['queue=default', 'os=linux'] }),
      await connected({ meta_data: ['queue=macos'] }),
    ];
    expect(await linux.takeJob()).toBe(jobs[2]?.id);
    expect(await mac.takeJob()).toBe(jobs[1]?.id);
    await linux.finish(jobs[2]!.id).expect(200);
    expect(await linux.takeJob()).toBe(jobs[0]?.id);
  });

  test('of before 3.44 reports with its session token and sends the times of log sections', async () => {
    const { first } = await buildOf(world, 'steps: [{ command: x }]');
    const agent = await connected({ version: '3.20.0' });
    await agent.ping();
    await agent.accept(first.id);
    const session = { ...agent, jobToken: agent.session };
    Object.assign(agent, { jobToken: session.jobToken });
    await agent.start(first.id).expect(200);
    await agent.chunk(first.id, 1, 0, '--- Section\n').expect(201);
    await agent
      .call('post', `/jobs/${first.id}/header_times`)
      .send({ header_times: { 0: '2026-01-02T03:04:05.123Z' } })
      .expect((reply) => expect(reply.status).toBeLessThan(300));
    const pipeline = { steps: [{ command: 'later', label: 'Later' }] };
    await agent
      .call('post', `/jobs/${first.id}/pipelines`)
      .send({ uuid: randomUUID(), pipeline })
      .expect((reply) => expect(reply.status).toBeLessThan(300));
    await agent.finish(first.id).expect(200);
    expect(await jobShown(first.id)).toMatchObject({ state: 'passed' });
  });

  test('or its scaler counts jobs and agents of the queues', async () => {
    await buildOf(world, 'steps: [{ command: a }, { command: b, agents: { queue: macos } }]');
    const agent = await connected();
    const { body } = await agent.call('get', '/metrics', world.agentToken).expect(200);
    expect(body.jobs.queues).toMatchObject({ default: { scheduled: 1 }, macos: { scheduled: 1 } });
    expect(body.agents.queues).toMatchObject({ default: { idle: 1, total: 1 } });
    const { body: one } = await agent.call('get', '/metrics/queue?name=macos', world.agentToken).expect(200);
    expect(one.jobs).toMatchObject({ scheduled: 1, total: 1 });
  });
});
