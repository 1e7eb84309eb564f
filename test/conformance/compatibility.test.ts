import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Express } from 'express';
import { graphqlRouter } from '../../src/graphql/server/router.js';
import { agentRouter } from '../../src/agent-api/router.js';
import { restSurface } from '../../src/rest/router.js';
import { DocumentedReplies } from '../support/documented-replies.js';
import { ScriptedAgent } from '../support/scripted-agent.js';
import { World } from '../support/world.js';
import * as v from './values.js';

// Replies have no static type; these tests check them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Body = any;

interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  body: Body;
}

const yaml = 'steps:\n  - command: make\n    key: make\n    env: { A: "1" }\n  - wait\n  - block: Go\n';
const all = '/v2/organizations/acme/pipelines';
const builds = `${all}/app/builds`;
const repository = 'git@github.com:acme/app.git';
let world: World;
let server: Server;
let stop: () => Promise<void>;
let done: Body;

/** A request with these bytes and these headers, and none that a client library would add. */
async function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> {
  const { port } = server.address() as AddressInfo;
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path: encodeURI(path).replace(/%25/g, '%'),
    headers: {
      Authorization: world.admin.authorization,
      ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
      ...headers,
    },
  });
  asked.end(body);
  const [response] = await once(asked, 'response');
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  const reply = { status: response.statusCode as number, headers: response.headers, text };
  if (path.startsWith('/v2')) DocumentedReplies.instance.check(method, path, reply);
  return {
    ...reply,
    body: String(response.headers['content-type']).includes('json') && text !== '' ? JSON.parse(text) : {},
  };
}
const json = (value: unknown) => ({ headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) });
const get = (path: string) => send('GET', path);
const post = (path: string, body: unknown) => send('POST', path, json(body));
const graphql = (body: object) => send('POST', '/graphql', json(body));

beforeAll(async () => {
  world = await World.create({ plan: 'enterprise' });
  const opened = await graphqlRouter(world.services);
  stop = opened.stop;
  const app: Express = express()
    .use('/v2', restSurface(world.services).router)
    .use('/graphql', opened.router)
    .use('/v3', agentRouter(world.services));
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  await world.pipeline(yaml, { slug: 'app', createdById: world.admin.id });
  const agent = await ScriptedAgent.connected(app, world.agentToken);
  const made = await post(builds, {
    commit: 'HEAD',
    branch: 'main',
    env: { DEEP: { a: [1] } },
    meta_data: { 'a b': 'c', n: 1 },
    pull_request_id: 7,
  });
  const id = await agent.takeJob();
  await agent.chunk(id, 1, 0, 'hello\n');
  await agent.finish(id, { exit_status: '2' });
  done = (await get(`${builds}/${made.body.number}?include_retried_jobs=true`)).body;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await stop();
  await world.close();
});

const build = () => ({ commit: 'HEAD', branch: 'main' });
const make = async (more: object = {}) => (await post(builds, { ...build(), ...more })).body;
const inState = (id: string, state: 'blocked') =>
  world.services.db.updateTable('jobs').set({ state }).where('id', '=', id).execute();

describe('requests that clients make', () => {
  test('GET, PUT and DELETE accept a body of null [compat:1]', async () => {
    const nothing = { headers: { 'Content-Type': 'application/json' }, body: 'null' };
    const { number, jobs } = await make();
    expect((await send('GET', `${builds}/${number}`, nothing)).status).toBe(200);
    expect((await send('PUT', `${builds}/${number}/cancel`, nothing)).status).toBe(200);
    expect((await send('DELETE', `${builds}/${number}/jobs/${jobs[0].id}/log`, nothing)).status).toBe(204);
  });

  test('REST and GraphQL accept JSON without a content type [compat:2]', async () => {
    expect((await send('POST', builds, { body: JSON.stringify(build()) })).status).toBe(201);
    expect((await send('PATCH', `${all}/app`, { body: '{"description":"x"}' })).body.description).toBe('x');
    const { number, jobs } = await make();
    await inState(jobs[2].id, 'blocked');
    expect((await send('PUT', `${builds}/${number}/jobs/${jobs[2].id}/unblock`, { body: '{}' })).status).toBe(200);
    expect((await send('POST', '/graphql', { body: '{"query":"{ viewer { user { name } } }"}' })).status).toBe(200);
  });

  test('PUT and POST accept an empty body and {}, and GET accepts a content type without a body [compat:3]', async () => {
    expect((await send('PUT', `${builds}/${(await make()).number}/rebuild`)).status).toBe(200);
    expect((await send('PUT', `${builds}/${(await make()).number}/cancel`, json({}))).status).toBe(200);
    await post(all, { name: 'Emptied', repository, configuration: yaml });
    expect((await send('POST', `${all}/emptied/archive`)).status).toBe(200);
    expect((await send('POST', `${all}/emptied/unarchive`, json({}))).status).toBe(200);
    expect((await send('GET', builds, { headers: { 'Content-Type': 'application/json' } })).status).toBe(200);
  });

  test('GraphQL accepts variables as JSON or as JSON text, any Accept header and an operationName [compat:4]', async () => {
    const query = 'query Find($slug: ID!) { organization(slug: $slug) { name } }';
    for (const extra of [{}, { operationName: 'Find' }]) {
      for (const variables of [{ slug: 'acme' }, '{"slug":"acme"}'])
        expect((await graphql({ query, variables, ...extra })).body).toEqual({
          data: { organization: { name: 'Acme Inc' } },
        });
    }
    for (const Accept of ['application/graphql-response+json, application/json', '*/*', 'application/json']) {
      const reply = await send('POST', '/graphql', {
        headers: { 'Content-Type': 'application/json', Accept },
        body: JSON.stringify({ query: 'mutation { buildCancel(input: { id: "nothing" }) { clientMutationId } }' }),
      });
      expect([Accept, reply.status, reply.body.errors.length]).toEqual([Accept, 200, 1]);
    }
  });

  test('lists give the same reply with a trailing slash as without [compat:5]', async () => {
    for (const path of [
      '/v2/organizations',
      all,
      builds,
      `${builds}/1`,
      '/v2/organizations/acme/builds',
      '/v2/builds',
    ]) {
      const [plain, slashed] = [await get(path), await get(`${path}/`)];
      expect([path, slashed.status, slashed.text]).toEqual([path, 200, plain.text]);
    }
    expect((await send('POST', `${builds}/`, json(build()))).status).toBe(201);
  });

  test('page 0 is the first page, per_page works on every list, and unknown parameters are ignored [compat:6]', async () => {
    expect((await get(`${builds}?page=0&per_page=100`)).text).toBe((await get(`${builds}?page=1&per_page=100`)).text);
    const stray = 'per_page=100&access_token=x&api_key=y&Fields=map[a:b]';
    const { number, jobs } = (await send('POST', `${builds}?${stray}`, json(build()))).body;
    await inState(jobs[2].id, 'blocked');
    expect((await send('PUT', `${builds}/${number}/jobs/${jobs[2].id}/unblock?${stray}`, json({}))).status).toBe(200);
    expect((await send('PATCH', `${all}/app?${stray}`, json({ description: 'y' }))).status).toBe(200);
    expect((await send('DELETE', `${builds}/${number}/jobs/${jobs[0].id}/log?${stray}`)).status).toBe(204);
  });

  test.each([
    'state=failed&branch=main',
    'state[]=failed&branch[]=main',
    'state%5B%5D=failed&branch%5B%5D=main',
    'state[0]=failed',
    'meta_data[a%20b]=c',
    'meta_data%5Ba+b%5D=c',
    'created_from=2026-01-02T03:04:05Z',
    'created_from=2026-01-02T03%3A04%3A05Z',
    'include_retried_jobs=True',
    'include_retried_jobs=true&exclude_jobs=true',
    'exclude_pipeline=True',
    'include_paused=true&include_test_engine=True',
    'job_states[]=failed',
  ])('build lists can be filtered by %s [compat:7]', async (query) => {
    const { status, body } = await get(`${builds}?per_page=100&${query}`);
    expect([status, body.map((each: Body) => each.id).includes(done.id)]).toEqual([200, true]);
    const one = await get(`${builds}/${done.number}?${query}`);
    expect([one.status, one.body.id]).toEqual([200, done.id]);
  });

  test('a build is created from the fields that clients always send, and from few fields [compat:8]', async () => {
    const always = await post(builds, {
      ...build(),
      author: {},
      clean_checkout: false,
      ignore_pipeline_branch_filters: false,
      pull_request_labels: ['bug'],
      unknown_key: { a: 1 },
    });
    expect(always.status).toBe(201);
    expect((await post(builds, build())).status).toBe(201);
  });

  test('a pipeline is created without a cluster where there is a default cluster, and with any settings [compat:9]', async () => {
    const blank = await post(all, {
      name: 'Blank cluster',
      repository,
      configuration: yaml,
      cluster_id: '',
      provider_settings: { unknown: { deep: 1 }, trigger_mode: 'code' },
    });
    const absent = await post(all, {
      name: 'No cluster',
      repository,
      steps: [
        { type: 'script', command: 'make' },
        { type: 'manual', label: 'Go', name: 'x', command: '' },
      ],
    });
    expect([blank.status, blank.body.cluster_id, absent.status, absent.body.cluster_id]).toEqual([
      201,
      world.clusterId,
      201,
      world.clusterId,
    ]);
    const organization = world.services.db.updateTable('organizations').where('id', '=', world.organization.id);
    await organization.set({ defaultClusterId: null }).execute();
    for (const more of [{}, { cluster_id: '' }])
      expect((await post(all, { name: 'Refused', repository, configuration: yaml, ...more })).status).toBe(422);
    await organization.set({ defaultClusterId: world.clusterId, teamsEnabled: true }).execute();
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'crew', name: 'Crew' });
    expect((await post(all, { name: 'Of a team', repository, configuration: yaml, team_uuids: [teamId] })).status).toBe(
      201,
    );
    await organization.set({ teamsEnabled: false }).execute();
  });

  const create =
    'mutation ($input: PipelineCreateInput!) { pipelineCreate(input: $input) { clientMutationId pipeline { id name defaultBranch skipIntermediateBuildsBranchFilter cancelIntermediateBuildsBranchFilter description cluster { id } tags { label } steps { yaml } } } }';

  test('blank and null inputs are accepted and returned as sent [compat:11]', async () => {
    const input = {
      organizationId: world.organization.id,
      name: 'Planned',
      repository: { url: repository },
      steps: { yaml },
      clusterId: null,
      teams: null,
      clientMutationId: '',
      tags: [],
      defaultBranch: '',
      description: null,
      skipIntermediateBuildsBranchFilter: '',
      cancelIntermediateBuildsBranchFilter: '',
      defaultTimeoutInMinutes: null,
      maximumTimeoutInMinutes: null,
      branchConfiguration: null,
      pipelineTemplateId: null,
    };
    const { body } = await graphql({ query: create, variables: { input } });
    expect(body.errors).toBeUndefined();
    expect(body.data.pipelineCreate).toMatchObject({
      clientMutationId: '',
      pipeline: {
        defaultBranch: '',
        skipIntermediateBuildsBranchFilter: '',
        cancelIntermediateBuildsBranchFilter: '',
        description: null,
        cluster: null,
        tags: [],
      },
    });
  });

  test('a template may be assigned with blank steps [compat:11]', async () => {
    const id = world.system().newId();
    await world.services.db
      .insertInto('pipeline_templates')
      .values({
        id,
        organizationId: world.organization.id,
        name: 'T',
        configuration: yaml,
        available: true,
        createdAt: world.clock.now(),
        updatedAt: world.clock.now(),
      })
      .execute();
    const pipelineTemplateId = Buffer.from(`PipelineTemplate---${id}`).toString('base64');
    const { body } = await graphql({
      query: create,
      variables: {
        input: {
          organizationId: world.organization.id,
          name: 'Templated',
          repository: { url: repository },
          steps: { yaml: '' },
          pipelineTemplateId,
        },
      },
    });
    expect(body.errors).toBeUndefined();
    expect(body.data.pipelineCreate.pipeline.name).toBe('Templated');
  });

  test('a job is addressed by node ids of both kinds, and a cluster by UUID and by node id [compat:12]', async () => {
    const [{ id }] = done.jobs;
    for (const kind of ['Job', 'JobTypeCommand']) {
      const node = Buffer.from(`${kind}---${id}`).toString('base64');
      const { body } = await graphql({
        query: 'query ($id: ID!) { node(id: $id) { ... on JobTypeCommand { uuid } } }',
        variables: { id: node },
      });
      expect(body).toEqual({ data: { node: { uuid: id } } });
    }
    for (const clusterId of [world.clusterId, Buffer.from(`Cluster---${world.clusterId}`).toString('base64')]) {
      const named = { name: `Cluster ${clusterId.slice(-4)}`, repository, configuration: yaml };
      expect((await post(all, { ...named, cluster_id: clusterId })).body.cluster_id).toBe(world.clusterId);
      const { body } = await graphql({
        query: create,
        variables: {
          input: {
            organizationId: world.organization.id,
            name: `${named.name} again`,
            repository: { url: repository },
            steps: { yaml },
            clusterId,
          },
        },
      });
      expect(body.errors).toBeUndefined();
    }
  });

  test('the JSON scalar accepts text [compat:13]', async () => {
    const { jobs } = await make();
    await inState(jobs[2].id, 'blocked');
    const { body } = await graphql({
      query:
        'mutation ($input: JobTypeBlockUnblockInput!) { jobTypeBlockUnblock(input: $input) { jobTypeBlock { state } } }',
      variables: { input: { id: jobs[2].graphql_id, fields: '{"version":"1"}' } },
    });
    expect([body.errors, body.data?.jobTypeBlockUnblock.jobTypeBlock.state]).toEqual([undefined, 'UNBLOCKED']);
  });
});

describe('replies that clients read', () => {
  test('Link headers have one space before rel, sorted parameters with values and page never last, and pages are full [compat:14]', async () => {
    const { headers, body } = await get(`${builds}?per_page=2&branch=main&state[]=scheduled&state[]=failed&flag`);
    const links = String(headers['link']).split(', ');
    expect(body).toHaveLength(2);
    for (const link of links) {
      const [, url = '', rel] = /^<([^>]+)>; rel="(first|prev|next|last)"$/.exec(link) ?? [];
      expect([rel !== undefined, url.startsWith('http://slipway.test/v2/organizations/acme/')]).toEqual([true, true]);
      const parameters = (url.split('?')[1] ?? '').split('&');
      expect(parameters.every((parameter) => parameter.includes('='))).toBe(true);
      const names = parameters.map((parameter) => parameter.split('=')[0] ?? '');
      expect(names).toEqual([...names].sort());
      expect(names.at(-1)).not.toBe('page');
    }
    let path: string | undefined = `${builds}?per_page=2`;
    let last: Reply | null = null;
    const starts = new Set<number>();
    for (let pages = 0; path !== undefined && pages < 50; pages += 1) {
      last = await get(path);
      starts.add(last.body[0]?.number);
      path = /<http:\/\/slipway\.test([^>]*)>; rel="next"/
        .exec(String(last.headers['link']))?.[1]
        ?.replaceAll('%5B', '[')
        .replaceAll('%5D', ']');
      if (path !== undefined) expect(last.body).toHaveLength(2);
      expect(starts.size).toBe(pages + 1);
    }
    expect(String(last?.headers['link'])).not.toContain('rel="next"');
  });

  test('every refusal is JSON with a message, and absent resources answer Not Found [compat:15]', async () => {
    const replies = [
      await send('GET', all, { headers: { Authorization: 'Bearer nobody' } }),
      await get(`${all}/none`),
      await send('PUT', `${all}/app`, json({})),
      await get(`${builds}?page=x`),
      await post(builds, {}),
      await get('/v2/none'),
      await send('POST', builds, { headers: { 'Content-Type': 'application/json' }, body: '{' }),
      await send('POST', builds, { headers: { 'Content-Type': 'multipart/form-data; boundary=x' }, body: '--x--' }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([401, 404, 405, 400, 422, 404, 400, 415]);
    const broken = {
      ...world.services,
      db: new Proxy(world.services.db, {
        get: () => () => {
          throw new Error('the database is away');
        },
      }),
    };
    const worse = [
      await lastOf(restSurface(limited()).router, '/v2/user'),
      await lastOf(restSurface(broken).router, '/v2/user'),
    ];
    expect(worse.map(({ status }) => status)).toEqual([429, 500]);
    for (const { body } of [...replies, ...worse]) expect(typeof body.message).toBe('string');
    expect(replies[1]?.body).toEqual({ message: 'Not Found' });
  });

  /** Every value under a key that a test of keys picks, anywhere in a reply. */
  function* valuesOf(
    value: Body,
    picked: (key: string) => boolean,
    inside: (key: string) => boolean = () => true,
  ): Generator<[string, unknown]> {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value) && picked(key)) yield [key, inner];
      if (inside(key)) yield* valuesOf(inner, picked, inside);
    }
  }

  test('times are ISO 8601 with Z, or null [compat:16]', async () => {
    for (const reply of [
      done,
      (await get(all)).body,
      (await get('/v2/user')).body,
      (await get('/v2/organizations')).body,
    ]) {
      const times = [...valuesOf(reply, (key) => key.endsWith('_at'))];
      expect(times.length).toBeGreaterThan(0);
      expect(times.filter(([, value]) => value !== null && !v.time(value))).toEqual([]);
    }
  });

  test.each([
    'git@github.com:a/b.git',
    'https://gitlab.com/a/b.git',
    'https://bitbucket.org/a/b.git',
    'https://git.internal/a.git',
  ])('a pipeline of the repository %s has provider settings, all of them scalars [compat:17]', async (url) => {
    const { body } = await post(all, { name: `Of ${url}`, repository: url, configuration: yaml });
    expect(
      Object.values(body.provider.settings).filter((value) => typeof value === 'object' && value !== null),
    ).toEqual([]);
    expect(Object.keys(body.provider.settings).length).toBeGreaterThan(0);
  });

  test.each(['github', 'github_enterprise', 'bitbucket', 'bitbucket_server', 'gitlab', 'gitlab_ee'])(
    'a pipeline of provider %s has provider settings [compat:17]',
    async (providerId) => {
      const { slug } = await world.pipeline(yaml, { providerId });
      const { provider } = (await get(`${all}/${slug}`)).body;
      expect([provider.id, typeof provider.settings]).toEqual([providerId, 'object']);
    },
  );

  test('values have the types that strict decoders require [compat:18]', async () => {
    expect([done.meta_data, done.pull_request.id, done.jobs[0].exit_status]).toEqual([{ 'a b': 'c', n: '1' }, '7', 2]);
    expect([Number.isInteger(done.number), done.env]).toEqual([true, { DEEP: { a: [1] } }]);
    const log = (await get(`${builds}/${done.number}/jobs/${done.jobs[0].id}/log`)).body;
    expect([Number.isInteger(log.size), Array.isArray(log.header_times)]).toEqual([true, true]);
    const { body } = await get(`${all}/app`);
    expect(body.steps[0].env).toEqual({ A: '1' });
    expect(typeof done.author === 'string' || done.author === null || typeof done.author === 'object').toBe(true);
  });

  test('a build always has a list of jobs, and an agent a list of tags [compat:19]', async () => {
    for (const each of (await get(`${builds}?per_page=100`)).body) expect(Array.isArray(each.jobs)).toBe(true);
    expect(done.jobs[0].agent.meta_data).toEqual(['queue=default']);
  });

  test('API URLs consist of scheme, host and a path below /v2, and lead to their resource [compat:20]', async () => {
    const urls = [...valuesOf(done, (key) => key === 'url')].map(([, value]) => String(value));
    expect(urls.length).toBeGreaterThan(2);
    for (const url of urls) expect(url).toMatch(/^http:\/\/[^/]+\/v2\/organizations\//);
    const [organization] = (await get('/v2/organizations')).body;
    expect((await get(new URL(organization.pipelines_url).pathname)).status).toBe(200);
    expect((await get(new URL(done.url).pathname)).body.id).toBe(done.id);
  });

  test('a build contains its complete pipeline [compat:21]', async () => {
    expect((await get(`${builds}/${done.number}`)).body.pipeline).toEqual((await get(`${all}/app`)).body);
    for (const key of [
      'web_url',
      'visibility',
      'steps',
      'scheduled_builds_count',
      'running_builds_count',
      'scheduled_jobs_count',
      'running_jobs_count',
      'waiting_jobs_count',
    ])
      expect(done.pipeline).toHaveProperty(key);
    expect(done.pipeline.provider.settings).toBeDefined();
  });

  test('a new build has a web URL [compat:22]', async () =>
    expect((await make()).web_url).toMatch(/^http:\/\/slipway\.test\/.+/));

  test('a log is returned as JSON, text and HTML with its size in HEAD, and a wait job has none [compat:23]', async () => {
    const log = `${builds}/${done.number}/jobs/${done.jobs[0].id}/log`;
    expect((await get(log)).body).toMatchObject({ content: 'hello\n', size: 6 });
    for (const [type, suffix] of [
      ['text/plain', '.txt'],
      ['text/html', '.html'],
    ] as const) {
      for (const reply of [await send('GET', log, { headers: { Accept: type } }), await get(`${log}${suffix}`)])
        expect([reply.status, String(reply.headers['content-type'])]).toEqual([200, `${type}; charset=utf-8`]);
    }
    const head = await send('HEAD', log);
    expect([head.status, head.headers['content-length']]).toEqual([200, '6']);
    expect((await get(`${builds}/${done.number}/jobs/${done.jobs[1].id}/log`)).status).toBe(404);
  });

  test('DELETE answers 204 with no body and no type [compat:24]', async () => {
    await post(all, { name: 'Short lived', repository, configuration: yaml });
    const reply = await send('DELETE', `${all}/short-lived`);
    expect([reply.status, reply.text, reply.headers['content-type']]).toEqual([204, '', undefined]);
  });

  test('GraphQL answers business errors with 200 and only limits with 429 and Retry-After [compat:25]', async () => {
    const refused = await graphql({
      query:
        'mutation { pipelineCreate(input: { organizationId: "none", name: "x", repository: { url: "x" }, steps: { yaml: "steps: []" } }) { pipeline { id } } }',
    });
    expect([refused.status, refused.body.errors.length]).toEqual([200, 1]);
    const last = await lastOf(restSurface(limited()).router, '/v2/user');
    expect([last.status, Number(last.headers['ratelimit-user-reset']) > 0]).toEqual([429, true]);
  });

  /** Services whose users have one request a minute. */
  function limited() {
    return { ...world.services, limits: { ...world.services.limits, requestsPerMinuteUser: 1 } };
  }

  /** The second reply of a server of its own. */
  async function lastOf(router: express.Router, path: string): Promise<Reply> {
    const app = express().use('/v2', router);
    const open = server;
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await get(path);
    const reply = await get(path);
    server.closeAllConnections();
    server.close();
    server = open;
    return reply;
  }
});
