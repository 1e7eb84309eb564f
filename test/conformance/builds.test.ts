import express from 'express';
import { agentRouter } from '../../src/agent-api/router.js';
import { RestWorld } from '../rest/rest-world.js';
import { ScriptedAgent } from '../support/scripted-agent.js';
import * as v from './values.js';

// Replies have no static type; these tests check them.
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
  const made = await rest.post(builds, {
    commit: 'abc',
    branch: 'main',
    message: 'Hello',
    env: { A: '1' },
    meta_data: { release: 'v1' },
  });
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
  block = (
    await rest.put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`).send({ fields: { version: '1' } })
  ).body;
});
afterAll(() => rest.close());

const times = v.orNull(v.time);
const buildFields: v.FieldRow[] = [
  ['bkmnof', 'jobs', v.listOf(v.object)],
  ['cgdjmi', 'id', v.uuid],
  ['menikh', 'number', v.is(1)],
  ['bmijjl', 'id', v.uuid],
  ['fioncl', 'graphql_id', v.text],
  ['panfbd', 'url, web_url', v.url],
  ['eapapk', 'number', v.integer],
  ['kmmpno', 'state', v.is('failed')],
  ['hmicpc', 'cancel_reason', v.orNull(v.text)],
  ['ghmbbg', 'blocked', v.is(false)],
  ['kkclfa', 'message', v.is('Hello')],
  ['pecdbe', 'commit', v.is('abc')],
  ['pgjplb', 'branch', v.is('main')],
  ['indjho', 'env', v.is({ A: '1' })],
  ['nfjbde', 'source', v.is('api')],
  ['hlcemo', 'creator', v.userSummary],
  ['dgpjki', 'jobs', v.listOf(v.shape({ id: v.uuid, type: v.text }))],
  ['kaacma', 'created_at, scheduled_at, started_at, finished_at', v.time],
  ['lmfadl', 'meta_data', v.is({ release: 'v1' })],
  ['oeoljl', 'pull_request', v.is({})],
  ['cfnjoe', 'rebuilt_from', v.nothing],
  [
    'bpkcfd',
    'pipeline',
    v.shape({
      id: v.uuid,
      graphql_id: v.text,
      url: v.url,
      name: v.text,
      slug: v.is('app'),
      repository: v.text,
      provider: v.shape({ id: v.text, settings: v.object, webhook_url: v.anyText }),
      skip_queued_branch_builds: v.flag,
      skip_queued_branch_builds_filter: v.nothing,
      cancel_running_branch_builds: v.flag,
      cancel_running_branch_builds_filter: v.nothing,
      builds_url: v.url,
      badge_url: v.url,
      created_at: v.time,
      scheduled_builds_count: v.integer,
      running_builds_count: v.integer,
      scheduled_jobs_count: v.integer,
      running_jobs_count: v.integer,
      waiting_jobs_count: v.integer,
      web_url: v.url,
      branch_configuration: v.nothing,
      default_branch: v.text,
    }),
  ],
  ['ipnlhp', 'scheduled_at', v.is('2026-01-02T03:04:05.000Z')],
  ['fmljal', 'created_at', v.is('2026-01-02T03:04:05.000Z')],
  ['ainhni', 'started_at', v.is('2026-01-02T03:04:15.000Z')],
  ['dhdjla', 'finished_at', v.is('2026-01-02T03:04:25.000Z')],
];
test.each(buildFields)('[api-v2:%s] a build has %s', (_line, names, check) =>
  expect(v.wrongFields(done, names, check)).toEqual([]),
);

const agentShape = v.shape({
  id: v.uuid,
  graphql_id: v.text,
  url: v.url,
  web_url: v.url,
  name: v.text,
  connection_state: v.text,
  hostname: v.text,
  ip_address: v.orNull(v.text),
  user_agent: v.text,
  creator: v.orNull(v.userSummary),
  created_at: v.time,
});
const jobFields: v.FieldRow[] = [
  ['aomcoi', 'log_url', v.url],
  ['imkajk', 'id', v.uuid],
  ['cfeoec', 'graphql_id', v.text],
  ['hfbcnc', 'type', v.is('script')],
  ['hdilih', 'name', v.is('Make')],
  ['cihfkn', 'step_key', v.is('make')],
  ['gafeoo', 'step', v.shape({ id: v.uuid, signature: v.orNull(v.object) })],
  ['cigggh', 'agent_query_rules', v.listOf(v.text)],
  ['mmggfh', 'state', v.is('failed')],
  ['ojgfal', 'build_url, web_url, log_url, raw_log_url, artifacts_url', v.url],
  ['fnggpa', 'command', v.is('make')],
  ['khkamb', 'soft_failed', v.is(false)],
  ['hncnca', 'exit_status', v.is(1)],
  ['oofabh', 'artifact_paths', v.is('out/*')],
  ['cccfal', 'agent', agentShape],
  ['jcgppk', 'created_at, scheduled_at, runnable_at, started_at, finished_at', v.time],
  ['nkpamm', 'retried', v.is(false)],
  ['ckoiae', 'retried_in_job_id', v.nothing],
  ['lfldkg', 'retries_count', v.orNull(v.integer)],
  ['lhabpj', 'retry_type', v.orNull(v.text)],
  ['gemhah', 'parallel_group_index, parallel_group_total', v.nothing],
  ['llboho', 'matrix', v.nothing],
  ['jhehfj', 'cluster_id, cluster_queue_id', v.uuid],
  ['jhehfj', 'cluster_url, cluster_queue_url', v.url],
  ['bojfip', 'scheduled_at', v.is('2026-01-02T03:04:05.000Z')],
  ['aenfco', 'created_at', v.is('2026-01-02T03:04:05.000Z')],
  ['mkdflg', 'runnable_at', v.is('2026-01-02T03:04:05.000Z')],
  ['eaeano', 'started_at', v.is('2026-01-02T03:04:15.000Z')],
  ['ajabac', 'finished_at', v.is('2026-01-02T03:04:25.000Z')],
];
test.each(jobFields)('[api-v2:%s] a job has %s', (_line, names, check) =>
  expect(v.wrongFields(script, names, check)).toEqual([]),
);

test('a step has the signature it was written with [api-v2:gafeoo]', async () => {
  await rest.world.pipeline(
    'steps: [{ command: make, signature: { value: x, algorithm: HS512, signed_fields: [command] } }]',
    { slug: 'signed' },
  );
  const { body } = await rest.post('/organizations/acme/pipelines/signed/builds', { commit: 'HEAD', branch: 'main' });
  const { signature } = body.jobs[0].step;
  expect([
    signature,
    v.shape({ value: v.text, algorithm: v.text, signed_fields: v.listOf(v.text) })(signature),
  ]).toEqual([signature, true]);
});

test('jobs of a parallel step show their index, and jobs of a matrix show their values [api-v2:gemhah,llboho]', async () => {
  await rest.world.pipeline(
    'steps: [{ command: make, parallelism: 2 }, { command: "test {{matrix}}", matrix: [unit] }]',
    { slug: 'many' },
  );
  const { body } = await rest.post('/organizations/acme/pipelines/many/builds', { commit: 'HEAD', branch: 'main' });
  expect(
    body.jobs.map((each: Body) => [each.parallel_group_index, each.parallel_group_total, each.matrix === null]),
  ).toEqual([
    [0, 2, true],
    [1, 2, true],
    [null, null, false],
  ]);
});

test('a block job that was unblocked has all its fields [api-v2:cgofka,onnkjj]', () => {
  const check = v.shape({
    id: v.uuid,
    graphql_id: v.text,
    type: v.is('manual'),
    label: v.is('Release?'),
    state: v.is('unblocked'),
    web_url: v.nothing,
    unblocked_by: v.userSummary,
    unblocked_at: v.time,
    unblockable: v.is(false),
    unblock_url: v.url,
  });
  expect([block, check(block)]).toEqual([block, true]);
});

test('a job log has its four documented fields [api-v2:adboge,bleplp]', () => {
  expect(Object.keys(log).sort()).toEqual(['content', 'header_times', 'size', 'url']);
  expect([
    v.shape({ url: v.url, content: v.is('hello\n'), size: v.is(6), header_times: v.listOf(v.integer) })(log),
  ]).toEqual([true]);
});

test('a job shows null for times that have not come [api-v2:jcgppk]', async () => {
  const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
  expect(v.wrongFields(body.jobs[2], 'runnable_at, started_at, finished_at', v.nothing)).toEqual([]);
  expect(v.wrongFields(body.jobs[2], 'created_at, scheduled_at', times)).toEqual([]);
});

describe('build numbers', () => {
  test('build numbers rise within each pipeline, and builds are addressed by them and never by their id [api-v2:jpiijc,gbjodc,menikh,eapapk]', async () => {
    const numbers = [];
    for (let made = 0; made < 3; made += 1)
      numbers.push(
        (await rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'main' })).body.number,
      );
    expect(numbers).toEqual([1, 2, 3]);
    expect((await rest.get(path(done.url))).body.number).toBe(1);
    expect((await rest.get(`${builds}/${done.id}`)).status).toBe(404);
  });
});

describe('creating a build', () => {
  const properties: [string, object, (body: Body) => unknown, unknown][] = [
    ['gjjkji', { commit: 'v1.2' }, (body) => body.commit, 'v1.2'],
    ['nkkldj', { branch: 'feature/x' }, (body) => body.branch, 'feature/x'],
    [
      'mnjhco',
      { author: { name: 'Ada', email: 'ada@example.com' } },
      (body) => [body.author.name, body.author.email],
      ['Ada', 'ada@example.com'],
    ],
    ['cmjkci', { clean_checkout: true }, (body) => body.state, 'scheduled'],
    ['hhkeof', { env: { DEEP: 'yes' } }, (body) => body.env, { DEEP: 'yes' }],
    ['bjaahe', { ignore_pipeline_branch_filters: true }, (body) => body.state, 'scheduled'],
    ['nfhell', { message: 'Said' }, (body) => body.message, 'Said'],
    ['kgjlkf', { meta_data: { a: 'b' } }, (body) => body.meta_data, { a: 'b' }],
    ['mcfokn', { pull_request_id: 4, pull_request_base_branch: 'main' }, (body) => body.pull_request.base, 'main'],
    ['hpogbi', { pull_request_id: 4 }, (body) => body.pull_request.id, '4'],
    [
      'eabooj',
      { pull_request_id: 4, pull_request_repository: 'git://x/y' },
      (body) => body.pull_request.repository,
      'git://x/y',
    ],
  ];
  test.each(properties)('[api-v2:%s] creating a build accepts %j', async (_line, given, read, expected) => {
    const { status, body } = await rest.post(builds, { commit: 'HEAD', branch: 'main', ...given });
    expect([status, body.state, read(body)]).toEqual([201, 'scheduled', expected]);
  });

  test('creating a build leaves absent fields at their defaults and records the requesting user as creator [api-v2:mnjhco,hhkeof,nfhell,kgjlkf]', async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    expect([body.creator.id, body.author, body.env, body.message, body.meta_data]).toEqual([
      rest.world.admin.id,
      null,
      {},
      null,
      {},
    ]);
  });

  test('a new build is scheduled at once, with its first job [api-v2:kcmfkp,pfginj]', async () => {
    const { status, body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    expect([status, body.state, body.jobs[0].state]).toEqual([201, 'scheduled', 'scheduled']);
  });

  test('a clean checkout is passed to the job, and branch filters apply unless the request ignores them [api-v2:nkkldj,cmjkci,bjaahe]', async () => {
    await rest.world.services.db
      .updateTable('pipelines')
      .set({ branchConfiguration: 'main' })
      .where('slug', '=', 'other')
      .execute();
    const on = (more: object) =>
      rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'wip', ...more });
    expect((await on({})).status).toBe(422);
    const made = await on({ ignore_pipeline_branch_filters: true, clean_checkout: true });
    expect(made.status).toBe(201);
    const { body } = await rest.get(`${path(made.body.url)}/jobs/${made.body.jobs[0].id}/env`);
    expect(body.env.BUILDKITE_CLEAN_CHECKOUT).toBe('true');
    // Filters of steps hold all the same.
    await rest.world.pipeline('steps: [{ command: make, branches: main }, { command: test }]', {
      slug: 'filtered',
      branchConfiguration: 'main',
    });
    const filtered = await rest.post('/organizations/acme/pipelines/filtered/builds', {
      commit: 'HEAD',
      branch: 'wip',
      ignore_pipeline_branch_filters: true,
    });
    expect(
      filtered.body.jobs.filter((each: Body) => each.state === 'scheduled').map((each: Body) => each.command),
    ).toEqual(['test']);
  });

  test('creating a build refuses invalid fields by name, and a build without any step with a reason [api-v2:gjjkji,nkkldj,fcjcen,ighgpn,bamcca,icppca]', async () => {
    const wrong = await rest.post(builds, { env: [] });
    expect([wrong.status, wrong.body.message, wrong.body.errors.map((error: Body) => error.field)]).toEqual([
      422,
      'Validation Failed',
      expect.arrayContaining(['env']),
    ]);
    const missing = await rest.post(builds, {});
    expect(missing.body.errors).toEqual([
      { field: 'commit', code: 'missing' },
      { field: 'branch', code: 'missing' },
    ]);
    await rest.world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: rest.world.clock.now() })
      .where('slug', '=', 'other')
      .execute();
    const archived = await rest.post('/organizations/acme/pipelines/other/builds', { commit: 'HEAD', branch: 'main' });
    expect([archived.status, Object.keys(archived.body)]).toEqual([422, ['message']]);
    await rest.world.services.db
      .updateTable('pipelines')
      .set({ archivedAt: null })
      .where('slug', '=', 'other')
      .execute();
  });
});

describe('build states', () => {
  const states = [
    'running',
    'scheduled',
    'passed',
    'failing',
    'failed',
    'blocked',
    'canceled',
    'canceling',
    'skipped',
    'not_run',
  ] as const;
  const inState = async (state: (typeof states)[number], blockedState: 'passed' | null = null) => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: `state-${state}` });
    await rest.world.services.db
      .updateTable('builds')
      .set({
        state,
        blockedState,
        finishedAt: ['passed', 'failed', 'canceled'].includes(state) ? rest.world.clock.now() : null,
      })
      .where('id', '=', body.id)
      .execute();
    return body;
  };
  const numbers = async (query: string) =>
    (await rest.get(`${builds}?${query}`)).body.map((build: Body) => build.number);

  test.each(states)('builds in state %s are found by filtering for it [api-v2:mflmib,clfobb]', async (state) => {
    const { number } = await inState(state, state === 'blocked' ? 'passed' : null);
    expect(await numbers(`state=${state}&branch=state-${state}`)).toEqual([number]);
    const finished = await numbers(`state=finished&branch=state-${state}`);
    expect(finished).toEqual(['passed', 'failed', 'blocked', 'canceled'].includes(state) ? [number] : []);
  });

  test('builds in any of several states are found at once, and an unknown state is refused [api-v2:clfobb]', async () => {
    expect(
      (await numbers('state[]=failing&state[]=canceling&branch[]=state-failing&branch[]=state-canceling')).length,
    ).toBe(2);
    expect((await rest.get(`${builds}?state=nonsense`)).status).toBe(400);
  });

  test('a blocked build keeps its previous state and shows blocked as true [api-v2:ghmbbg,jgomil]', async () => {
    const { number } = await inState('blocked', 'passed');
    expect((await rest.get(`${builds}/${number}`)).body).toMatchObject({ state: 'passed', blocked: true });
  });

  test.each(['scheduled', 'running', 'failing'] as const)(
    'a build in state %s can be canceled [api-v2:eampkl,khcjog]',
    async (state) => {
      const { number } = await inState(state);
      const reply = await rest.put(`${builds}/${number}/cancel`);
      expect([reply.status, reply.body.state]).toEqual([200, 'canceled']);
      expect((await rest.get(`${builds}/${number}`)).body.state).toBe('canceled');
    },
  );

  test.each(['passed', 'failed', 'canceled', 'skipped', 'not_run', 'canceling'] as const)(
    'a build in state %s cannot be canceled, and the reply gives the reason [api-v2:pkiaik,khcjog,icppca]',
    async (state) => {
      const { number } = await inState(state);
      const reply = await rest.put(`${builds}/${number}/cancel`);
      expect([reply.status, Object.keys(reply.body), typeof reply.body.message]).toEqual([422, ['message'], 'string']);
      expect((await rest.get(`${builds}/${number}`)).body.state).toBe(state);
    },
  );

  test('rebuilding creates a new build that refers to the first [api-v2:cfnjoe,ioknen,jomjnd]', async () => {
    const reply = await rest.put(`${path(done.url)}/rebuild`);
    expect([reply.status, reply.body.state, reply.body.source]).toEqual([200, 'scheduled', 'api']);
    expect(reply.body.rebuilt_from).toEqual({ id: done.id, number: done.number, url: done.url });
    expect(reply.body.number).toBeGreaterThan(done.number);
  });
});

describe('lists of builds', () => {
  const lists = ['/builds', '/organizations/acme/builds', builds];
  const found = async (list: string, query: string) =>
    (await rest.get(`${list}?per_page=100&${query}`)).body.map((build: Body) => build.id) as string[];
  const filters: [string, () => string, () => string][] = [
    ['olbcjk', () => 'branch=main', () => 'branch[]=nowhere'],
    ['oaceje', () => 'commit=abc', () => 'commit[]=ab'],
    ['bjdmlk', () => 'created_from=2026-01-02T03:04:05Z', () => 'created_from=2026-01-02T03:04:06Z&commit=abc'],
    ['faonpf', () => 'created_to=2026-01-02T03:04:06Z', () => 'created_to=2026-01-02T03:04:05Z'],
    ['nmfdkm', () => `creator=${rest.world.admin.id}`, () => `creator=${rest.world.member.id}`],
    ['hafink', () => 'finished_from=2026-01-02T03:04:25Z', () => 'finished_from=2027-01-02T03:04:25Z'],
    ['bfignf', () => 'meta_data[release]=v1', () => 'meta_data[release]=v2'],
    ['clfobb', () => 'state=failed', () => 'state=skipped'],
  ];
  test.each(filters)('[api-v2:%s] a filter selects the same builds in all three lists', async (_line, hit, miss) => {
    for (const list of lists) {
      expect([list, (await found(list, hit())).includes(done.id)]).toEqual([list, true]);
      expect([list, (await found(list, miss())).includes(done.id)]).toEqual([list, false]);
    }
  });

  test('builds can be filtered by several branches and commits at once [api-v2:olbcjk,oaceje]', async () => {
    expect(await found(builds, 'branch[]=main&branch[]=other&commit[]=abc&commit[]=xyz')).toContain(done.id);
  });

  test('the three build lists return the newest build first [api-v2:kfpdaj,egmfgf,ingeje,bbkiob]', async () => {
    for (const list of lists) {
      const { status, body } = await rest.get(`${list}?per_page=100`);
      expect([status, body.map((build: Body) => build.created_at)]).toEqual([
        200,
        body
          .map((build: Body) => build.created_at)
          .sort()
          .reverse(),
      ]);
    }
    expect((await rest.get(`${builds}?per_page=2`)).body).toHaveLength(2);
    expect((await rest.get(`${builds}?per_page=2`)).headers['link']).toContain('rel="next"');
    const slugs = async (list: string) =>
      new Set((await rest.get(`${list}?per_page=100`)).body.map((build: Body) => build.pipeline.slug));
    expect(await slugs('/organizations/acme/builds')).toEqual(new Set(['app', 'other', 'signed', 'many', 'filtered']));
    expect(await slugs(builds)).toEqual(new Set(['app']));
    expect((await rest.get('/builds', rest.world.outsider)).body).toEqual([]);
  });
});

describe('jobs', () => {
  const failed = async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    const url = `${path(body.url)}/jobs/${body.jobs[0].id}`;
    await rest.world.services.db
      .updateTable('jobs')
      .set({ state: 'finished', passed: false, exitStatus: 1, finishedAt: rest.world.clock.now() })
      .where('id', '=', body.jobs[0].id)
      .execute();
    return { url, id: body.jobs[0].id, build: path(body.url) };
  };

  test('jobs are addressed by id under their build [api-v2:ggbjec,nnplbg]', async () => {
    const { url } = await failed();
    expect((await rest.get(url)).status).toBe(200);
    expect((await rest.get(url.replace('/app/', '/other/'))).status).toBe(404);
  });

  test('a failed job is retried once, and the new job is scheduled and can be retried by its own id [api-v2:nkpamm,ckoiae,lfldkg,lhabpj,njgfcl,ejpngf,fcohpo,hebhil]', async () => {
    const { url, id, build } = await failed();
    const { status, body } = await rest.put(`${url}/retry`);
    expect([
      status,
      body.state,
      body.retries_count,
      body.retry_type,
      body.agent,
      body.runnable_at,
      body.started_at,
      body.finished_at,
    ]).toEqual([200, 'scheduled', 1, 'manual', null, null, null, null]);
    expect(body.id).not.toBe(id);
    expect((await rest.get(url)).body).toMatchObject({ retried: true, retried_in_job_id: body.id });
    expect((await rest.put(`${url}/retry`)).status).toBe(400);
    await rest.world.services.db
      .updateTable('jobs')
      .set({ state: 'timed_out', passed: false, finishedAt: rest.world.clock.now() })
      .where('id', '=', body.id)
      .execute();
    expect((await rest.put(`${build}/jobs/${body.id}/retry`)).body.retries_count).toBe(2);
  });

  test('builds show the latest attempts of their jobs, or all attempts on request [api-v2:domnba,gjmill]', async () => {
    const { url, id, build } = await failed();
    const retried = (await rest.put(`${url}/retry`)).body.id;
    const ids = async (query: string) => (await rest.get(`${build}${query}`)).body.jobs.map((job: Body) => job.id);
    expect(await ids('')).toContain(retried);
    expect(await ids('')).not.toContain(id);
    expect(await ids('?include_retried_jobs=true')).toEqual(expect.arrayContaining([id, retried]));
    const { body } = await rest.get(`${builds}?include_retried_jobs=true&per_page=1`);
    expect(body[0].jobs.map((job: Body) => job.id)).toEqual(expect.arrayContaining([id, retried]));
  });

  test('a job in any other state cannot be retried [api-v2:mnkkoj,fcohpo,edjgbi]', async () => {
    const { body } = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    const reply = await rest.put(`${path(body.url)}/jobs/${body.jobs[0].id}/retry`);
    expect([reply.status, reply.body]).toEqual([
      400,
      { message: 'Only failed, timed out or canceled jobs can be retried' },
    ]);
  });

  test('a block job is unblocked by the caller or by a named member, and any other job cannot be unblocked [api-v2:hlgiih,fjalpk,pbdhmc,lacoac]', async () => {
    const { url } = await failed();
    const job = await rest.put(`${url}/unblock`);
    expect([job.status, job.body]).toEqual([400, { message: 'This job type cannot be unblocked' }]);
    const gated = await rest.post(builds, { commit: 'HEAD', branch: 'main' });
    await rest.world.services.db
      .updateTable('jobs')
      .set({ state: 'finished', passed: true })
      .where('id', '=', gated.body.jobs[0].id)
      .execute();
    await rest.world.services.db
      .updateTable('jobs')
      .set({ state: 'blocked' })
      .where('id', '=', gated.body.jobs[1].id)
      .execute();
    const stranger = await rest
      .put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`)
      .send({ unblocker: rest.world.outsider.id });
    expect([stranger.status, stranger.body]).toEqual([
      422,
      { message: 'Unblocker is not a valid user id for this organization' },
    ]);
    const member = await rest
      .put(`${path(gated.body.url)}/jobs/${gated.body.jobs[1].id}/unblock`)
      .send({ unblocker: rest.world.member.id, fields: { version: '2' } });
    expect([member.status, member.body.unblocked_by.id, member.body.unblockable]).toEqual([
      200,
      rest.world.member.id,
      false,
    ]);
    expect((await rest.get(path(gated.body.url))).body.meta_data).toMatchObject({ version: '2' });
  });

  test.each([
    ['text/plain', '.txt'],
    ['text/html', '.html'],
  ])('a job log is returned as %s by Accept header and by file extension [api-v2:bleplp]', async (type, extension) => {
    const url = `${path(done.url)}/jobs/${script.id}/log`;
    const [accepted, suffixed] = await Promise.all([rest.get(url).set('Accept', type), rest.get(`${url}${extension}`)]);
    for (const reply of [accepted, suffixed])
      expect([reply.status, String(reply.headers['content-type']).split(';')[0], reply.text.includes('hello')]).toEqual(
        [200, type, true],
      );
  });

  test("a job's environment is returned as an object and as lines [api-v2:aomcoi,nbombn]", async () => {
    const url = `${path(done.url)}/jobs/${script.id}/env`;
    const { status, body } = await rest.get(url);
    expect([status, Object.keys(body), v.textMap(body.env), body.env.CI, body.env.BUILDKITE_BRANCH]).toEqual([
      200,
      ['env'],
      true,
      'true',
      'main',
    ]);
    for (const reply of [await rest.get(url).set('Accept', 'text/plain'), await rest.get(`${url}.txt`)])
      expect(reply.text).toContain('CI=true\n');
  });

  test('a job log can be deleted [api-v2:bamdda]', async () => {
    const url = `${path(done.url)}/jobs/${script.id}/log`;
    const reply = await rest.request('delete', url);
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect((await rest.get(url)).body).toMatchObject({ content: '', size: 0 });
  });
});
