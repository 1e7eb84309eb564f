import express from 'express';
import { agentRouter } from '../../src/agent-api/router.js';
import { RestWorld } from '../rest/rest-world.js';
import { ScriptedAgent } from '../support/scripted-agent.js';
import * as v from './values.js';

// Replies hold what these tests find out.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

const yaml = `
steps:
  - command: make
    key: make
    label: Make
    artifact_paths: "out/*"
  - block: Release?
    key: gate
    fields: [{ text: Version, key: version }]
  - command: "true"
    key: last
`;
const pipeline = '/organizations/acme/pipelines/app';
const builds = `${pipeline}/builds`;
let rest: RestWorld;
let agent: ScriptedAgent;
let done: Body;
let script: Body;
let block: Body;
let log: Body;
const path = (url: string) => url.replace('http://slipway.test/v2', '');

beforeAll(async () => {
  rest = await RestWorld.create();
  const { world } = rest;
  await world.pipeline(yaml, { slug: 'app', createdById: world.admin.id });
  await world.pipeline('steps: [{ command: make }]', { slug: 'other' });
  const agents = express().use('/v3', agentRouter(world.services));
  agent = await ScriptedAgent.connected(agents, world.agentToken);
  const made = await rest.post(builds, { commit: 'abc', branch: 'main', message: 'Hello', env: { A: '1' }, meta_data: { release: 'v1' } });
  world.clock.advance(10);
  const id = await agent.takeJob();
  await agent.chunk(id, 1, 0, 'hello\n');
  world.clock.advance(10);
  await agent.finish(id, { exit_status: '1' });
  done = (await rest.get(path(made.body.url))).body;
  script = done.jobs[0];
  log = (await rest.get(path(script.log_url))).body;
  const gated = await rest.post(builds, { commit: 'def', branch: 'main' });
  const next = await agent.takeJob();
  await agent.finish(next);
  block = (await rest.put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`).send({ fields: { version: '1' } })).body;
});
afterAll(() => rest.close());

const times = v.orNull(v.time);
const buildFields: v.FieldRow[] = [
  [10, 'jobs', v.listOf(v.object)], [44, 'id', v.uuid], [45, 'number', v.is(1)], [111, 'id', v.uuid], [112, 'graphql_id', v.text], [113, 'url, web_url', v.url], [114, 'number', v.integer], [115, 'state', v.is('failed')],
  [116, 'cancel_reason', v.orNull(v.text)], [117, 'blocked', v.is(false)], [118, 'message', v.is('Hello')], [119, 'commit', v.is('abc')], [120, 'branch', v.is('main')], [121, 'env', v.is({ A: '1' })], [122, 'source', v.is('api')],
  [123, 'creator', v.userSummary], [124, 'jobs', v.listOf(v.shape({ id: v.uuid, type: v.text }))], [125, 'created_at, scheduled_at, started_at, finished_at', v.time], [126, 'meta_data', v.is({ release: 'v1' })], [127, 'pull_request', v.is({})],
  [128, 'rebuilt_from', v.nothing],
  [129, 'pipeline', v.shape({
    id: v.uuid, graphql_id: v.text, url: v.url, name: v.text, slug: v.is('app'), repository: v.text, provider: v.shape({ id: v.text, settings: v.object, webhook_url: v.anyText }), skip_queued_branch_builds: v.flag, skip_queued_branch_builds_filter: v.nothing,
    cancel_running_branch_builds: v.flag, cancel_running_branch_builds_filter: v.nothing, builds_url: v.url, badge_url: v.url, created_at: v.time, scheduled_builds_count: v.integer, running_builds_count: v.integer, scheduled_jobs_count: v.integer,
    running_jobs_count: v.integer, waiting_jobs_count: v.integer, web_url: v.url, branch_configuration: v.nothing, default_branch: v.text,
  })],
  [135, 'scheduled_at', v.is('2026-01-02T03:04:05.000Z')], [136, 'created_at', v.is('2026-01-02T03:04:05.000Z')], [137, 'started_at', v.is('2026-01-02T03:04:15.000Z')], [138, 'finished_at', v.is('2026-01-02T03:04:25.000Z')],
];
test.each(buildFields)('[api-v2:%i] a build has %s', (_line, names, check) => expect(v.wrongFields(done, names, check)).toEqual([]));

const agentShape = v.shape({
  id: v.uuid, graphql_id: v.text, url: v.url, web_url: v.url, name: v.text, connection_state: v.text, hostname: v.text, ip_address: v.orNull(v.text), user_agent: v.text, creator: v.orNull(v.userSummary), created_at: v.time,
});
const jobFields: v.FieldRow[] = [
  [13, 'log_url', v.url], [144, 'id', v.uuid], [145, 'graphql_id', v.text], [146, 'type', v.is('script')], [147, 'name', v.is('Make')], [148, 'step_key', v.is('make')],
  [149, 'step', v.shape({ id: v.uuid, signature: v.orNull(v.object) })], [150, 'agent_query_rules', v.listOf(v.text)], [151, 'state', v.is('failed')], [152, 'build_url, web_url, log_url, raw_log_url, artifacts_url', v.url], [153, 'command', v.is('make')],
  [154, 'soft_failed', v.is(false)], [155, 'exit_status', v.is(1)], [156, 'artifact_paths', v.is('out/*')], [157, 'agent', agentShape], [158, 'created_at, scheduled_at, runnable_at, started_at, finished_at', v.time], [159, 'retried', v.is(false)],
  [160, 'retried_in_job_id', v.nothing], [161, 'retries_count', v.orNull(v.integer)], [162, 'retry_type', v.orNull(v.text)], [163, 'parallel_group_index, parallel_group_total', v.nothing], [164, 'matrix', v.nothing],
  [165, 'cluster_id, cluster_queue_id', v.uuid], [165, 'cluster_url, cluster_queue_url', v.url],
  [171, 'scheduled_at', v.is('2026-01-02T03:04:05.000Z')], [172, 'created_at', v.is('2026-01-02T03:04:05.000Z')], [173, 'runnable_at', v.is('2026-01-02T03:04:05.000Z')],
  [174, 'started_at', v.is('2026-01-02T03:04:15.000Z')], [175, 'finished_at', v.is('2026-01-02T03:04:25.000Z')],
];
test.each(jobFields)('[api-v2:%i] a job has %s', (_line, names, check) => expect(v.wrongFields(script, names, check)).toEqual([]));

test('a step has the signature it was written with [api-v2:149]', async () => {
  await rest.world.pipeline('steps: [{ command: make, signature: { value: x, algorithm: HS512, signed_fields: [command] } }]', { slug: 'signed' });
  const { body } = await rest.post('/organizations/acme/pipelines/signed/builds', { commit: 'HEAD', branch: 'main' });
  const { signature } = body.jobs[0].step;
  expect([signature, v.shape({ value: v.text, algorithm: v.text, signed_fields: v.listOf(v.text) })(signature)]).toEqual([signature, true]);
});

test('jobs of a parallel step know their place, those of a matrix their values [api-v2:163,164]', async () => {
  await rest.world.pipeline('steps: [{ command: make, parallelism: 2 }, { command: "test {{matrix}}", matrix: [unit] }]', { slug: 'many' });
  const { body } = await rest.post('/organizations/acme/pipelines/many/builds', { commit: 'HEAD', branch: 'main' });
  expect(body.jobs.map((each: Body) => [each.parallel_group_index, each.parallel_group_total, each.matrix === null])).toEqual([[0, 2, true], [1, 2, true], [null, null, false]]);
});

test('a block job that was unblocked has all its fields [api-v2:177,307]', () => {
  const check = v.shape({ id: v.uuid, graphql_id: v.text, type: v.is('manual'), label: v.is('Release?'), state: v.is('unblocked'), web_url: v.nothing, unblocked_by: v.userSummary, unblocked_at: v.time, unblockable: v.is(false), unblock_url: v.url });
  expect([block, check(block)]).toEqual([block, true]);
});

test('a log has its four fields [api-v2:181,488]', () => {
  expect(Object.keys(log).sort()).toEqual(['content', 'header_times', 'size', 'url']);
  expect([v.shape({ url: v.url, content: v.is('hello\n'), size: v.is(6), header_times: v.listOf(v.integer) })(log)]).toEqual([true]);
});

test('a job may wait for times that have not come [api-v2:158]', async () => {
  const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
  expect(v.wrongFields(body.jobs[2], 'runnable_at, started_at, finished_at', v.nothing)).toEqual([]);
  expect(v.wrongFields(body.jobs[2], 'created_at, scheduled_at', times)).toEqual([]);
});

describe('numbers', () => {
  test('rise in each pipeline of its own; builds go by them, never by their id [api-v2:22,31,45,114]', async () => {
    const numbers = [];
    for (let made = 0; made < 3; made += 1) numbers.push((await rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'main' })).body.number);
    expect(numbers).toEqual([1, 2, 3]);
    expect((await rest.get(path(done.url))).body.number).toBe(1);
    expect((await rest.get(`${builds}/${done.id}`)).status).toBe(404);
  });
});

describe('creating a build', () => {
  const properties: [number, object, (body: Body) => unknown, unknown][] = [
    [426, { commit: 'v1.2' }, (body) => body.commit, 'v1.2'],
    [427, { branch: 'feature/x' }, (body) => body.branch, 'feature/x'],
    [428, { author: { name: 'Ada', email: 'ada@example.com' } }, (body) => [body.author.name, body.author.email], ['Ada', 'ada@example.com']],
    [429, { clean_checkout: true }, (body) => body.state, 'scheduled'],
    [430, { env: { DEEP: 'yes' } }, (body) => body.env, { DEEP: 'yes' }],
    [431, { ignore_pipeline_branch_filters: true }, (body) => body.state, 'scheduled'],
    [432, { message: 'Said' }, (body) => body.message, 'Said'],
    [433, { meta_data: { a: 'b' } }, (body) => body.meta_data, { a: 'b' }],
    [434, { pull_request_id: 4, pull_request_base_branch: 'main' }, (body) => body.pull_request.base, 'main'],
    [435, { pull_request_id: 4 }, (body) => body.pull_request.id, '4'],
    [436, { pull_request_id: 4, pull_request_repository: 'git://x/y' }, (body) => body.pull_request.repository, 'git://x/y'],
  ];
  test.each(properties)('[api-v2:%i] takes %j', async (_line, given, read, expected) => {
    const { status, body } = await rest.post(builds, { commit: 'HEAD', branch: 'main', ...given });
    expect([status, body.state, read(body)]).toEqual([201, 'scheduled', expected]);
  });

  test('leaves alone what is not given, and the requesting user is its creator [api-v2:428,430,432-433]', async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    expect([body.creator.id, body.author, body.env, body.message, body.meta_data]).toEqual([rest.world.admin.id, null, {}, null, {}]);
  });

  test('is scheduled at once, with its first job [api-v2:292,422]', async () => {
    const { status, body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    expect([status, body.state, body.jobs[0].state]).toEqual([201, 'scheduled', 'scheduled']);
  });

  test('a clean checkout reaches the job, branch filters hold unless told otherwise [api-v2:427,429,431]', async () => {
    await rest.world.services.db.updateTable('pipelines').set({ branchConfiguration: 'main' }).where('slug', '=', 'other').execute();
    const on = (more: object) => rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'wip', ...more });
    expect((await on({})).status).toBe(422);
    const made = await on({ ignore_pipeline_branch_filters: true, clean_checkout: true });
    expect(made.status).toBe(201);
    const { body } = await rest.get(`${path(made.body.url)}/jobs/${made.body.jobs[0].id}/env`);
    expect(body.env.BUILDKITE_CLEAN_CHECKOUT).toBe('true');
    // Filters of steps hold all the same.
    await rest.world.pipeline('steps: [{ command: make, branches: main }, { command: test }]', { slug: 'filtered', branchConfiguration: 'main' });
    const filtered = await rest.post('/organizations/acme/pipelines/filtered/builds', { commit: 'HEAD', branch: 'wip', ignore_pipeline_branch_filters: true });
    expect(filtered.body.jobs.filter((each: Body) => each.state === 'scheduled').map((each: Body) => each.command)).toEqual(['test']);
  });

  test('refuses wrong fields by name, and in a sentence what cannot be built [api-v2:426-427,438,546,553,558]', async () => {
    const wrong = await rest.post(builds, { env: [] });
    expect([wrong.status, wrong.body.message, wrong.body.errors.map((error: Body) => error.field)]).toEqual([422, 'Validation Failed', expect.arrayContaining(['env'])]);
    const missing = await rest.post(builds, {});
    expect(missing.body.errors).toEqual([{ field: 'commit', code: 'missing' }, { field: 'branch', code: 'missing' }]);
    await rest.world.services.db.updateTable('pipelines').set({ archivedAt: rest.world.clock.now() }).where('slug', '=', 'other').execute();
    const archived = await rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'main' });
    expect([archived.status, Object.keys(archived.body)]).toEqual([422, ['message']]);
    await rest.world.services.db.updateTable('pipelines').set({ archivedAt: null }).where('slug', '=', 'other').execute();
  });
});

describe('states of builds', () => {
  const states = ['running', 'scheduled', 'passed', 'failing', 'failed', 'blocked', 'canceled', 'canceling', 'skipped', 'not_run'] as const;
  const inState = async (state: (typeof states)[number], blockedState: 'passed' | null = null) => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: `state-${state}` });
    await rest.world.services.db.updateTable('builds').set({ state, blockedState, finishedAt: ['passed', 'failed', 'canceled'].includes(state) ? rest.world.clock.now() : null }).where('id', '=', body.id).execute();
    return body;
  };
  const numbers = async (query: string) => (await rest.get(`${builds}?${query}`)).body.map((build: Body) => build.number);

  test.each(states)('%s is found by its name [api-v2:286,412]', async (state) => {
    const { number } = await inState(state, state === 'blocked' ? 'passed' : null);
    expect(await numbers(`state=${state}&branch=state-${state}`)).toEqual([number]);
    const finished = await numbers(`state=finished&branch=state-${state}`);
    expect(finished).toEqual(['passed', 'failed', 'blocked', 'canceled'].includes(state) ? [number] : []);
  });

  test('several states at once; others are refused [api-v2:412]', async () => {
    expect((await numbers('state[]=failing&state[]=canceling&branch[]=state-failing&branch[]=state-canceling')).length).toBe(2);
    expect((await rest.get(`${builds}?state=nonsense`)).status).toBe(400);
  });

  test('one that is blocked keeps the state it had, blocked is true [api-v2:117,288]', async () => {
    const { number } = await inState('blocked', 'passed');
    expect((await rest.get(`${builds}/${number}`)).body).toMatchObject({ state: 'passed', blocked: true });
  });

  test.each(['scheduled', 'running', 'failing'] as const)('%s is canceled [api-v2:294,440]', async (state) => {
    const { number } = await inState(state);
    const reply = await rest.put(`${builds}/${number}/cancel`);
    expect([reply.status, reply.body.state]).toEqual([200, 'canceled']);
    expect((await rest.get(`${builds}/${number}`)).body.state).toBe('canceled');
  });

  test.each(['passed', 'failed', 'canceled', 'skipped', 'not_run', 'canceling'] as const)('%s is not canceled, the reason is given [api-v2:295,440,558]', async (state) => {
    const { number } = await inState(state);
    const reply = await rest.put(`${builds}/${number}/cancel`);
    expect([reply.status, Object.keys(reply.body), typeof reply.body.message]).toEqual([422, ['message'], 'string']);
    expect((await rest.get(`${builds}/${number}`)).body.state).toBe(state);
  });

  test('a rebuild is a new build that refers to the first [api-v2:128,293,442]', async () => {
    const reply = await rest.put(`${path(done.url)}/rebuild`);
    expect([reply.status, reply.body.state, reply.body.source]).toEqual([200, 'scheduled', 'api']);
    expect(reply.body.rebuilt_from).toEqual({ id: done.id, number: done.number, url: done.url });
    expect(reply.body.number).toBeGreaterThan(done.number);
  });
});

describe('lists of builds', () => {
  const lists = ['/builds', '/organizations/acme/builds', builds];
  const found = async (list: string, query: string) => (await rest.get(`${list}?per_page=100&${query}`)).body.map((build: Body) => build.id) as string[];
  const filters: [number, () => string, () => string][] = [
    [404, () => 'branch=main', () => 'branch[]=nowhere'],
    [405, () => 'commit=abc', () => 'commit[]=ab'],
    [406, () => 'created_from=2026-01-02T03:04:05Z', () => 'created_from=2026-01-02T03:04:06Z&commit=abc'],
    [407, () => 'created_to=2026-01-02T03:04:06Z', () => 'created_to=2026-01-02T03:04:05Z'],
    [408, () => `creator=${rest.world.admin.id}`, () => `creator=${rest.world.member.id}`],
    [409, () => 'finished_from=2026-01-02T03:04:25Z', () => 'finished_from=2027-01-02T03:04:25Z'],
    [411, () => 'meta_data[release]=v1', () => 'meta_data[release]=v2'],
    [412, () => 'state=failed', () => 'state=skipped'],
  ];
  test.each(filters)('[api-v2:%i] filter alike in all three', async (_line, hit, miss) => {
    for (const list of lists) {
      expect([list, (await found(list, hit())).includes(done.id)]).toEqual([list, true]);
      expect([list, (await found(list, miss())).includes(done.id)]).toEqual([list, false]);
    }
  });

  test('several branches and commits at once [api-v2:404-405]', async () => {
    expect(await found(builds, 'branch[]=main&branch[]=other&commit[]=abc&commit[]=xyz')).toContain(done.id);
  });

  test('of everywhere, of an organization, of a pipeline, newest first [api-v2:23,414,416,418]', async () => {
    for (const list of lists) {
      const { status, body } = await rest.get(`${list}?per_page=100`);
      expect([status, body.map((build: Body) => build.created_at)]).toEqual([200, body.map((build: Body) => build.created_at).sort().reverse()]);
    }
    expect((await rest.get(`${builds}?per_page=2`)).body).toHaveLength(2);
    expect((await rest.get(`${builds}?per_page=2`)).headers['link']).toContain('rel="next"');
    const slugs = async (list: string) => new Set((await rest.get(`${list}?per_page=100`)).body.map((build: Body) => build.pipeline.slug));
    expect(await slugs('/organizations/acme/builds')).toEqual(new Set(['app', 'other', 'signed', 'many', 'filtered']));
    expect(await slugs(builds)).toEqual(new Set(['app']));
    expect((await rest.get('/builds', rest.world.outsider)).body).toEqual([]);
  });
});

describe('jobs', () => {
  const failed = async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    const url = `${path(body.url)}/jobs/${body.jobs[0].id}`;
    await rest.world.services.db.updateTable('jobs').set({ state: 'finished', passed: false, exitStatus: 1, finishedAt: rest.world.clock.now() }).where('id', '=', body.jobs[0].id).execute();
    return { url, id: body.jobs[0].id, build: path(body.url) };
  };

  test('lie under their build, and go by their id [api-v2:32,482]', async () => {
    const { url } = await failed();
    expect((await rest.get(url)).status).toBe(200);
    expect((await rest.get(url.replace('/app/', '/other/'))).status).toBe(404);
  });

  test('one that failed is retried once: the new one is scheduled, and can be retried again by its own id [api-v2:159-162,301,305,484,571]', async () => {
    const { url, id, build } = await failed();
    const { status, body } = await rest.put(`${url}/retry`);
    expect([status, body.state, body.retries_count, body.retry_type, body.agent, body.runnable_at, body.started_at, body.finished_at]).toEqual([200, 'scheduled', 1, 'manual', null, null, null, null]);
    expect(body.id).not.toBe(id);
    expect((await rest.get(url)).body).toMatchObject({ retried: true, retried_in_job_id: body.id });
    expect((await rest.put(`${url}/retry`)).status).toBe(400);
    await rest.world.services.db.updateTable('jobs').set({ state: 'timed_out', passed: false, finishedAt: rest.world.clock.now() }).where('id', '=', body.id).execute();
    expect((await rest.put(`${build}/jobs/${body.id}/retry`)).body.retries_count).toBe(2);
  });

  test('lists hold the latest attempts, all where they are asked for [api-v2:410,420]', async () => {
    const { url, id, build } = await failed();
    const retried = (await rest.put(`${url}/retry`)).body.id;
    const ids = async (query: string) => (await rest.get(`${build}${query}`)).body.jobs.map((job: Body) => job.id);
    expect(await ids('')).toContain(retried);
    expect(await ids('')).not.toContain(id);
    expect(await ids('?include_retried_jobs=true')).toEqual(expect.arrayContaining([id, retried]));
    const { body } = await rest.get(`${builds}?include_retried_jobs=true&per_page=1`);
    expect(body[0].jobs.map((job: Body) => job.id)).toEqual(expect.arrayContaining([id, retried]));
  });

  test('one in any other state is not retried [api-v2:306,484,550]', async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    const reply = await rest.put(`${path(body.url)}/jobs/${body.jobs[0].id}/retry`);
    expect([reply.status, reply.body]).toEqual([400, { message: 'Only failed, timed out or canceled jobs can be retried' }]);
  });

  test('a block is unblocked by the caller or a named member, any other job is none [api-v2:308,486,551,559]', async () => {
    const { url } = await failed();
    const job = await rest.put(`${url}/unblock`);
    expect([job.status, job.body]).toEqual([400, { message: 'This job type cannot be unblocked' }]);
    const gated = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    await rest.world.services.db.updateTable('jobs').set({ state: 'finished', passed: true }).where('id', '=', gated.body.jobs[0].id).execute();
    await rest.world.services.db.updateTable('jobs').set({ state: 'blocked' }).where('id', '=', gated.body.jobs[1].id).execute();
    const stranger = await rest.put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`).send({ unblocker: rest.world.outsider.id });
    expect([stranger.status, stranger.body]).toEqual([422, { message: 'Unblocker is not a valid user id for this organization' }]);
    const member = await rest.put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`).send({ unblocker: rest.world.member.id, fields: { version: '2' } });
    expect([member.status, member.body.unblocked_by.id, member.body.unblockable]).toEqual([200, rest.world.member.id, false]);
    expect((await rest.get(path(gated.body.url))).body.meta_data).toMatchObject({ version: '2' });
  });

  test.each([['text/plain', '.txt'], ['text/html', '.html']])('a log as %s by Accept and by its extension [api-v2:488]', async (type, extension) => {
    const url = `${path(done.url)}/jobs/${script.id}/log`;
    const [accepted, suffixed] = await Promise.all([rest.get(url).set('Accept', type), rest.get(`${url}${extension}`)]);
    for (const reply of [accepted, suffixed]) expect([reply.status, String(reply.headers['content-type']).split(';')[0], reply.text.includes('hello')]).toEqual([200, type, true]);
  });

  test('the environment as an object and as lines [api-v2:13,492]', async () => {
    const url = `${path(done.url)}/jobs/${script.id}/env`;
    const { status, body } = await rest.get(url);
    expect([status, Object.keys(body), v.textMap(body.env), body.env.CI, body.env.BUILDKITE_BRANCH]).toEqual([200, ['env'], true, 'true', 'main']);
    for (const reply of [await rest.get(url).set('Accept', 'text/plain'), await rest.get(`${url}.txt`)]) expect(reply.text).toContain('CI=true\n');
  });

  test('a log is deleted [api-v2:490]', async () => {
    const url = `${path(done.url)}/jobs/${script.id}/log`;
    const reply = await rest.request('delete', url);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await rest.get(url)).body).toMatchObject({ content: '', size: 0 });
  });
});
