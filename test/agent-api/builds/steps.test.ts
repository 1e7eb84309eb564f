import { randomUUID } from 'node:crypto';
import type { Express } from 'express';
import { retryJob } from '../../../src/operations/builds/jobs/retry.js';
import { JobRunner } from '../../support/job-runner.js';
import { agentApp, buildNow, buildOf, jobNow, ScriptedAgent } from '../../support/scripted-agent.js';
import { World } from '../../support/world.js';

describe('from inside a job', () => {
  let world: World;
  let app: Express;
  let runner: JobRunner;
  beforeAll(async () => {
    world = await World.create();
    app = agentApp(world);
    runner = new JobRunner(world);
  });
  afterAll(() => world.close());
  afterEach(async () => {
    await world.services.db
      .updateTable('jobs')
      .set({ state: 'canceled', deadlineAt: null })
      .where('state', 'in', ['scheduled', 'limited', 'assigned', 'accepted', 'running', 'canceling', 'timing_out'])
      .execute();
    world.clock.advance(60);
  });

  async function inside(steps: string) {
    const { build } = await buildOf(world, steps);
    const agent = await ScriptedAgent.connected(app, world.agentToken);
    const job = await agent.takeJob();
    const call = (method: 'post' | 'put' | 'get', path: string, body: object = {}) =>
      agent.call(method, path, agent.jobToken).send(body);
    const get = async (step: string, attribute?: string, format?: string) => {
      const { status, body } = await call('post', `/steps/${step}/export`, { build_id: build.id, attribute, format });
      return status === 200 ? (body.output as string) : `${status} ${body.message}`;
    };
    const update = async (step: string, attribute: string, value: string, more: object = {}) => {
      const body = { idempotency_uuid: randomUUID(), build_id: build.id, attribute, value, ...more };
      const response = await call('put', `/steps/${step}`, body);
      return response.status === 200 ? 'done' : `${response.status} ${response.body.message}`;
    };
    const jobOf = async (label: string) => (await runner.jobs(build.id)).find((each) => each.label === label)!;
    return { build: build.id, agent, job, call, get, update, jobOf };
  }

  describe('a step', () => {
    test('is read by its id or its key, attribute by attribute or as a whole', async () => {
      const { get, jobOf } = await inside(`steps:
        - { command: u, label: U, key: u }
        - { command: [a, b], label: C, key: c.1, depends_on: [u], agents: { os: mac }, env: { A: 1 }, timeout: 5, priority: 3, concurrency: 2, concurrency_group: g, if: build.branch == "main" }
        - { block: Go, key: b }`);
      expect(await get('c%2E1', 'label')).toBe('C');
      expect(await get('c.1', 'label', 'json')).toBe('"C"');
      expect(await get('c.1', 'depends_on')).toBe('[{"step":"u","allow_failure":false}]');
      expect(await get('c.1', 'parallelism')).toBe('');
      expect(await get('c.1', 'parallelism', 'json')).toBe('null');
      expect(JSON.parse(await get((await jobOf('C')).stepId))).toEqual({
        id: (await jobOf('C')).stepId,
        agents: ['os=mac'],
        command: 'a\nb',
        concurrency_key: 'g',
        concurrency_limit: 2,
        depends_on: [{ step: 'u', allow_failure: false }],
        env: { A: '1' },
        if: 'build.branch == "main"',
        key: 'c.1',
        label: 'C',
        notify: [],
        outcome: 'neutral',
        parallelism: null,
        priority: 3,
        state: 'waiting_for_dependencies',
        timeout: 5,
        type: 'command',
      });
      expect(await get('b', 'type')).toBe('input');
      expect(await get('c.1', 'nope')).toMatch(/^422 The attribute "nope" cannot be read; it can be agents, command,/);
      expect(await get('c.1', 'label', 'yaml')).toBe('422 The format "yaml" is not supported; it can be json');
    });

    test('has a state and an outcome that follow its jobs', async () => {
      const { get, jobOf, agent, job } = await inside(`steps:
        - { command: u, label: U, key: u, depends_on: [] }
        - { command: p, label: P, key: p, parallelism: 2 }
        - { command: s, label: S, key: s, soft_fail: true }
        - { command: n, label: N, key: n, skip: true }
        - { group: G, key: g, steps: [{ command: x, label: X, key: x }] }
        - { input: I, key: i, fields: [] }
        - { command: w, label: W, key: w, depends_on: i }`);
      const words = async (key: string) => `${await get(key, 'state')} ${await get(key, 'outcome')}`;
      expect(await words('u')).toBe('running neutral');
      expect(await words('p')).toBe('ready neutral');
      expect(await words('n')).toBe('ignored neutral');
      expect(await words('i')).toBe('waiting_for_input neutral');
      expect(await words('w')).toBe('waiting_for_dependencies neutral');
      const first = await jobOf('P');
      await runner.start(first.id);
      expect(await words('p')).toBe('running neutral');
      await runner.finish(first.id, 1);
      expect(await words('p')).toBe('failing neutral');
      for (const each of await runner.jobs(first.buildId))
        if (each.label === 'P' && each.id !== first.id) await runner.run(each.id);
      expect(await words('p')).toBe('finished hard_failed');
      await runner.run((await jobOf('S')).id, 1);
      expect(await words('s')).toBe('finished soft_failed');
      expect(await words('g')).toBe('ready neutral');
      await runner.run((await jobOf('X')).id);
      expect(await words('g')).toBe('finished passed');
      await agent.finish(job).expect(200);
      expect(await words('u')).toBe('finished passed');
    });

    test('of another build is absent, by its id, its key and its build', async () => {
      const other = await buildOf(world, 'steps: [{ command: o, key: o }]');
      await world.services.db.updateTable('jobs').set({ state: 'canceled' }).where('id', '=', other.first.id).execute();
      const { get, call, update } = await inside('steps: [{ command: u, key: u }]');
      expect(await get('o', 'label')).toBe('404 Not Found');
      expect(await get(other.first.stepId, 'label')).toBe('404 Not Found');
      await call('post', '/steps/u/export', { build_id: other.build.id }).expect(404);
      expect(await update('o', 'label', 'x')).toBe('404 Not Found');
      await call('post', '/steps/o/cancel', { build_id: other.build.id }).expect(404);
      await call('post', `/builds/${other.build.id}/cancel`).expect(404);
      expect((await buildNow(world, other.build.id)).state).toBe('scheduled');
    });

    test('gets another label, an addition to it, a priority and notifications, once for each uuid', async () => {
      const { get, update, jobOf } = await inside(`steps:
        - { command: u, label: U, key: u }
        - { command: "{{matrix}}", label: "M {{matrix}}", key: m, matrix: [a, b] }`);
      expect(await update('u', 'label', 'V')).toBe('done');
      const once = { idempotency_uuid: randomUUID(), append: true };
      for (let time = 0; time < 3; time += 1) expect(await update('u', 'label', ' 2', once)).toBe('done');
      expect(await get('u', 'label')).toBe('V 2');
      expect((await jobOf('V 2')).state).toBe('running');
      expect(await update('m', 'label', '!', { append: true })).toBe('done');
      expect([(await jobOf('M a!')).state, (await jobOf('M b!')).state]).toEqual(['scheduled', 'scheduled']);
      expect(await update('m', 'priority', '10')).toBe('done');
      expect([await get('m', 'priority'), (await jobOf('M a!')).priority]).toEqual(['10', 10]);
      const slack = { slack: 'a#b' };
      expect(await update('m', 'notify', JSON.stringify([slack]))).toBe('done');
      expect(await update('m', 'notify', JSON.stringify({ email: 'c' }), { append: true })).toBe('done');
      expect(JSON.parse(await get('m', 'notify'))).toEqual([slack, { email: 'c' }]);
      expect(await update('m', 'notify', '{')).toMatch(/^422 The value of notify must be JSON/);
      expect(await update('m', 'priority', 'high')).toBe('422 The priority must be an integer');
      expect(await update('m', 'label', '')).toBe("422 The label can't be blank");
      expect(await update('m', 'command', 'x')).toBe(
        '422 The attribute "command" cannot be updated; it can be label, notify, priority or ' +
          'notify.github_check.output.title, summary, text or annotations',
      );
    });

    test('is canceled with all of its unfinished jobs; a forced one ends without its agent after the grace period', async () => {
      const { build, call, jobOf } = await inside(`steps:
        - { command: u, label: U }
        - { command: p, label: P, key: p, parallelism: 2 }
        - { command: w, label: W, depends_on: p }
        - { command: s, label: S, key: s, soft_fail: true }`);
      const held = await ScriptedAgent.connected(app, world.agentToken);
      expect(await held.takeJob()).toBe((await jobOf('P')).id);
      const { body } = await call('post', '/steps/p/cancel', {
        build_id: build,
        force: true,
        force_grace_period: 5,
      }).expect(200);
      expect(body).toEqual({ uuid: (await jobOf('P')).stepId });
      expect(await runner.states(build)).toEqual(['running', 'canceling', 'canceled', 'waiting', 'scheduled']);
      expect((await jobOf('P')).deadlineAt).toEqual(new Date(world.clock.now().getTime() + 5_000));
      await held.state((await jobOf('P')).id).expect(200, { state: 'canceling' });
      await call('post', '/steps/p/cancel', { build_id: build }).expect(200);
      await held.finish((await jobOf('P')).id, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
      await call('post', '/steps/s/cancel', { build_id: build }).expect(200);
      expect(await runner.states(build)).toEqual(['running', 'canceled', 'canceled', 'waiting_failed', 'canceled']);
      expect(await jobOf('S')).toMatchObject({ softFailed: true });
      expect(await buildNow(world, build)).toMatchObject({ state: 'failing' });
    });
  });

  test('the build is canceled, and canceling it again is no error', async () => {
    const { build, call, agent, job } = await inside('steps: [{ command: u, label: U }, wait, { command: c }]');
    for (let time = 0; time < 2; time += 1) await call('post', `/builds/${build}/cancel`).expect(200, { uuid: build });
    expect(await buildNow(world, build)).toMatchObject({ state: 'canceling', cancelReason: 'Canceled by the job U' });
    await agent.state(job).expect(200, { state: 'canceling' });
    await agent.finish(job, { exit_status: '-1', signal_reason: 'cancel' }).expect(200);
    expect((await buildNow(world, build)).state).toBe('canceled');
    await call('post', `/builds/${build}/cancel`).expect(422, {
      message: 'The job has ended, so that it can change neither its build nor its agent any more',
    });
  });

  test('the timeout is changed in minutes from the start, within an hour of the first one and the maxima', async () => {
    const { call, job, agent } = await inside('steps: [{ command: u, timeout_in_minutes: 10 }]');
    const set = async (timeout: unknown) => {
      const { status, body } = await call('put', `/jobs/${job}`, { timeout });
      return status === 200 ? body : `${status} ${body.message}`;
    };
    const { startedAt } = await jobNow(world, job);
    world.clock.advance(120);
    for (const minutes of ['20', '70', '1']) {
      expect(await set(minutes)).toEqual({ id: job });
      expect(await jobNow(world, job)).toMatchObject({
        timeoutInMinutes: Number(minutes),
        deadlineAt: new Date(startedAt!.getTime() + Number(minutes) * 60_000),
      });
    }
    expect(await set('71')).toBe('422 Timeout can be at most 70 minutes');
    for (const bad of ['0', '-1', 'x', '', null])
      expect(await set(bad)).toBe('422 Timeout must be a positive number of minutes');
    await call('put', `/jobs/${job}`, { priority: '1' }).expect(422, {
      message: 'Only the timeout of a job can be updated, not priority',
    });
    await call('put', `/jobs/${job}`, {}).expect(422);
    await agent.finish(job, { exit_status: '1' }).expect(200);
    expect(await set('5')).toBe('422 The timeout cannot be updated: the job is finished');
    await world.perform(world.admin, retryJob, { job: { id: job } });
    const retry = await jobNow(world, (await jobNow(world, job)).retriedInJobId!);
    expect(retry).toMatchObject({ timeoutInMinutes: 10, initialTimeoutInMinutes: null });
  });

  test('a job without a timeout may give itself one, and a retry of it has none again', async () => {
    const { call, job, agent } = await inside('steps: [{ command: u }]');
    await call('put', `/jobs/${job}`, { timeout: '500' }).expect(200);
    expect((await jobNow(world, job)).timeoutInMinutes).toBe(500);
    await agent.finish(job, { exit_status: '1' }).expect(200);
    await world.perform(world.admin, retryJob, { job: { id: job } });
    const retry = await jobNow(world, (await jobNow(world, job)).retriedInJobId!);
    expect(retry.timeoutInMinutes).toBeNull();
  });

  test('caches and repository tokens are answered as not there, in the words that agents expect', async () => {
    const { call, job } = await inside('steps: [{ command: u }]');
    for (const path of ['/cache_registries/~', '/cache_registries/~/peek'])
      await call('post', path).expect(404, { message: 'Cache registry not found' });
    await call('get', '/cache_registries/slug').expect(404, { message: 'Cache registry not found' });
    for (const name of ['repository_access_token', 'github_code_access_token'])
      await call('post', `/jobs/${job}/${name}`).expect(404, { message: 'Repository access tokens are not supported' });
  });

  test('an agent token says what it belongs to; no other token is asked', async () => {
    const { agent } = await inside('steps: [{ command: u }]');
    const { body } = await agent.call('get', '/token', world.agentToken).expect(200);
    expect(body).toMatchObject({
      organization_slug: 'acme',
      organization_uuid: world.organization.id,
      cluster_uuid: world.clusterId,
      cluster_name: 'Default cluster',
      organization_queue_key: 'default',
      token_type: 'cluster_token',
    });
    await agent.call('get', '/token').expect(403);
  });
});
