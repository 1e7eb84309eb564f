import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import express from 'express';
import { z } from 'zod';
import { mcpRouter } from '../../src/mcp/router.js';
import { boundedReply, replyBytes } from '../../src/mcp/replies/bounded-reply.js';
import { toolScopes } from '../../src/domain/organizations/oauth/requested-scopes.js';
import { tools } from '../../src/mcp/tools/all.js';
import { wellKnownRouter } from '../../src/web/well-known.js';
import { restSurface } from '../../src/rest/router.js';
import { oneOfEverything, type PathValues } from '../support/one-of-everything.js';
import { agentApp, ScriptedAgent } from '../support/scripted-agent.js';
import { runUntilIdle } from '../support/run-until-idle.js';
import type { Data } from '../support/both-surfaces.js';
import { requestsTo } from '../support/requests.js';
import { World } from '../support/world.js';

let world: World;
let server: Server;
let here: PathValues;
let url: string;
let failedBuild: Data;
let stop: () => Promise<void>;

const log = ['~~~ Preparing', 'fine', 'src/a.ts(1,2): error TS2322: no', 'done with it', ''].join('\n');

beforeAll(async () => {
  world = await World.create({ plan: 'enterprise' });
  here = await oneOfEverything(world, 'steps: [{ command: make, key: make }, { block: Go }]');
  const mcp = mcpRouter(world.services, '1.2.3');
  ({ stop } = mcp);
  const app = express();
  app.use('/mcp', mcp.router);
  app.use('/.well-known', wellKnownRouter(world.services));
  app.use('/v2', restSurface(world.services).router);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  failedBuild = await runFailed();
}, 60_000);
afterAll(async () => {
  await stop();
  server.close();
  await world.close();
});

/** A build of its own pipeline whose job has failed with a log. */
async function runFailed(): Promise<Data> {
  await world.pipeline('steps: [{ command: make, key: make }]', { slug: 'red' });
  const rest = requestsTo(server);
  const { body } = await rest
    .post('/v2/organizations/acme/pipelines/red/builds')
    .set('Authorization', world.admin.authorization)
    .send({ commit: 'HEAD', branch: 'main' });
  await runUntilIdle(world.services);
  const [job] = body.jobs;
  const runner = await ScriptedAgent.connected(agentApp(world), world.agentToken, { name: 'one' });
  for (let taken = await runner.takeJob(); ; taken = await runner.takeJob()) {
    if (taken === job.id) await runner.chunk(taken, 1, 0, Buffer.from(log)).expect(201);
    await runner.finish(taken, { exit_status: taken === job.id ? '1' : '0' }).expect(200);
    if (taken === job.id) break;
  }
  await runUntilIdle(world.services);
  return body;
}

interface Opened {
  path?: string;
  headers?: Record<string, string>;
  era?: 'auto' | 'legacy';
  authorization?: string;
}

/** A client of the official SDK. */
async function open({ path = '/mcp', headers = {}, era = 'auto', authorization }: Opened = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: era } });
  const transport = new StreamableHTTPClientTransport(new URL(url + path), {
    requestInit: { headers: { Authorization: authorization ?? world.admin.authorization, ...headers } },
  });
  await client.connect(transport);
  return client;
}

async function call(client: Client, name: string, args: Record<string, unknown>): Promise<Data> {
  const result: Data = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${result.content[0].text}`);
  // Clients that know no structured content read the same from the text.
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  return result.structuredContent;
}

const inBuild = { org_slug: 'acme', pipeline_slug: 'red', build_number: '1' };
const failedJob = () => ({ ...inBuild, job_id: failedBuild.jobs[0].id });

/** Values for the arguments that a tool needs, by their names; those of the path are of the world. */
const needed: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  create_annotation: { body: 'Hello' },
  create_build: { commit: 'HEAD', branch: 'main' },
  create_cluster: { name: 'Another' },
  create_cluster_queue: { key: 'another' },
  create_pipeline: {
    name: 'Another',
    repository_url: 'https://git.test/a.git',
    configuration: 'steps: [{ command: a }]',
  },
  create_pipeline_schedule: { cronline: '@daily', branch: 'main' },
  search_logs: { pattern: 'error' },
  search_organization_logs: { q: 'error' },
  update_cluster: { description: 'x' },
  update_cluster_queue: { description: 'x' },
  load_skill: { skill_name: 'debug-failed-build' },
  update_pipeline: { description: 'x' },
  update_pipeline_schedule: { label: 'x' },
};

const pathNames: Readonly<Record<string, string>> = {
  org_slug: 'org',
  pipeline_slug: 'slug',
  build_number: 'number',
  job_id: 'job',
  job_uuid: 'job',
  cluster_id: 'cluster',
  queue_id: 'queue',
  agent_id: 'agent',
  schedule_id: 'schedule',
  artifact_id: 'artifact',
  upload_uuid: 'upload',
  search_id: 'search',
  test_suite_slug: 'suite',
  run_id: 'run',
  test_id: 'test',
  build_uuid: 'build',
};

/** Tools whose object the world has in no state to take them; each says what it answers instead. */
const refused: Readonly<Record<string, RegExp>> = {
  // The build that the world has is canceled once.
  cancel_build: /already finished/,
  unblock_job: /block|unblock/i,
  retry_job: /retr/i,
  get_job_failure: /not failed/,
  find_culprit: /No step of the build failed/,
  get_artifact: /./,
  resume_cluster_queue_dispatch: /./,
};

test('lists the tools of the hosted server, with schemas that take nothing else', async () => {
  const client = await open();
  const { tools: listed } = await client.listTools();
  await client.close();
  expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
  expect(listed.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      ...['current_user', 'access_token', 'user_token_organization', 'list_clusters', 'get_cluster', 'create_cluster'],
      ...['update_cluster', 'list_cluster_queues', 'get_cluster_queue', 'create_cluster_queue', 'update_cluster_queue'],
      ...['pause_cluster_queue_dispatch', 'resume_cluster_queue_dispatch', 'list_agents', 'get_agent'],
      ...['list_pipelines', 'get_pipeline', 'create_pipeline', 'update_pipeline', 'list_pipeline_schedules'],
      ...['get_pipeline_schedule', 'create_pipeline_schedule', 'update_pipeline_schedule', 'list_builds', 'get_build'],
      ...['wait_for_build', 'create_build', 'cancel_build', 'rebuild_build', 'list_jobs', 'get_job', 'get_job_env'],
      ...['unblock_job', 'retry_job', 'list_step_uploads', 'get_step_upload', 'get_build_test_engine_runs'],
      ...[
        'search_logs',
        'tail_logs',
        'read_logs',
        'list_artifacts_for_build',
        'list_artifacts_for_job',
        'get_artifact',
      ],
      ...['list_annotations', 'create_annotation', 'list_tests', 'list_tests_for_build', 'get_test', 'list_test_runs'],
      ...['get_test_run', 'get_failed_executions', 'get_build_failure_summary', 'list_skills', 'load_skill'],
    ]),
  );
  for (const { name, inputSchema, description, annotations } of listed) {
    expect({ name, more: inputSchema['additionalProperties'] }).toEqual({ name, more: false });
    expect(description).toMatch(/\.$/);
    expect(typeof annotations?.readOnlyHint).toBe('boolean');
  }
  // The list costs a model its context: about 12,500 tokens.
  expect(JSON.stringify(listed).length).toBeLessThan(51_000);
});

describe.each(['auto', 'legacy'] as const)('a client of the official SDK, %s', (era) => {
  test('calls every tool', async () => {
    const client = await open({ era });
    const unanswered: string[] = [];
    for (const { name, input } of tools) {
      const required = Object.entries(input.shape).filter(
        ([, type]) => !(type as z.ZodType).safeParse(undefined).success,
      );
      const path = here('test_suite_slug' in input.shape ? '/analytics' : '');
      const args = Object.fromEntries(
        required.flatMap(([argument]) => {
          const parameter = pathNames[argument];
          return parameter === undefined ? [] : [[argument, path[parameter]]];
        }),
      );
      const own = Object.fromEntries(
        Object.entries(needed[name] ?? {}).map(([each, value]) => [
          each,
          ['name', 'key'].includes(each) ? `${String(value)}-${era}` : value,
        ]),
      );
      const result: Data = await client.callTool({ name, arguments: { ...args, ...own } });
      const [{ text }] = result.content;
      if (result.isError && !refused[name]?.test(text)) unanswered.push(`${name}: ${text}`);
    }
    await client.close();
    expect(unanswered).toEqual([]);
  }, 60_000);
});

test('says why a build failed in one reply, lines of the log with their numbers', async () => {
  const client = await open();
  const summary = await call(client, 'get_build_failure_summary', inBuild);
  expect(summary).toMatchObject({
    build: { number: 1, state: 'failed' },
    jobs: [{ id: failedBuild.jobs[0].id, exit_status: 1, failure: { reason: expect.stringMatching(/exit status 1/) } }],
    jobs_truncated: false,
  });
  const { failure } = summary.jobs[0];
  expect(failure.excerpts[0]).toMatchObject({ kind: 'error', text: expect.stringContaining('error TS2322') });
  // The same as that of the job alone.
  const alone = await call(client, 'get_job_failure', { org_slug: 'acme', job_id: failedBuild.jobs[0].id });
  expect(alone).toMatchObject(failure);
  await client.close();
});

test('reads, searches and ends a log as the console numbers it', async () => {
  const client = await open();
  expect(await call(client, 'read_logs', { ...failedJob(), seek: 1, limit: 2 })).toEqual({
    entries: [
      { rn: 2, c: 'fine' },
      { rn: 3, c: 'src/a.ts(1,2): error TS2322: no' },
    ],
    total_rows: 4,
    next_seek: 3,
  });
  expect(await call(client, 'tail_logs', { ...failedJob(), tail: 1 })).toEqual({
    entries: [{ rn: 4, c: 'done with it' }],
    total_rows: 4,
  });
  expect(await call(client, 'search_logs', { ...failedJob(), pattern: 'ERROR ts\\d+', context: 1 })).toEqual({
    results: [
      {
        match: { rn: 3, c: 'src/a.ts(1,2): error TS2322: no' },
        before_context: [{ rn: 2, c: 'fine' }],
        after_context: [{ rn: 4, c: 'done with it' }],
      },
    ],
    match_count: 1,
  });
  const inverted = await call(client, 'search_logs', {
    ...failedJob(),
    pattern: 'error',
    invert_match: true,
    reverse: true,
  });
  expect(inverted.results.map(({ match }: Data) => match.rn)).toEqual([4, 2, 1]);
  expect(await call(client, 'search_organization_logs', { org_slug: 'acme', q: 'ts2322' })).toMatchObject({
    matches: [{ pipeline_slug: 'red', build_number: 1, line: 3 }],
    complete: true,
  });
  await client.close();
});

test('a tool may what the token may, and says which scope is missing', async () => {
  const { authorization } = await world.person({ organizationId: world.organization.id, scopes: ['read_builds'] });
  const client = await open({ authorization });
  expect(await call(client, 'get_build', inBuild)).toMatchObject({ state: 'failed' });
  const result: Data = await client.callTool({ name: 'read_logs', arguments: failedJob() });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toContain('read_build_logs');
  const hidden: Data = await client.callTool({ name: 'get_build', arguments: { ...inBuild, org_slug: 'hidden' } });
  expect(hidden).toMatchObject({ isError: true, content: [{ text: 'Not Found' }] });
  await client.close();
});

test('programs are told to ask for the scopes that the tools need, and no others', () => {
  expect([...new Set(tools.flatMap((tool) => tool.scopes()))].sort()).toEqual([...toolScopes].sort());
});

test('an argument that is wrong or unknown is named', async () => {
  const client = await open();
  const result: Data = await client.callTool({
    name: 'list_builds',
    arguments: { org_slug: 'acme', per_page: 0, x: 1 },
  });
  expect(result.isError).toBe(true);
  expect(result.content[0].text).toMatch(/per_page/);
  expect(result.content[0].text).toMatch(/"x"/);
  await client.close();
});

test.each([
  ['/mcp/readonly', {}],
  ['/mcp', { 'X-Buildkite-Read-Only': 'true' }],
])('%s with %j has no tool that changes anything', async (path, headers) => {
  const client = await open({ path, headers });
  const { tools: listed } = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(tools.flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])));
  await expect(client.callTool({ name: 'cancel_build', arguments: inBuild })).rejects.toThrow('There is no tool');
  await client.close();
});

test.each([
  ['/mcp/x/logs', {}],
  ['/mcp/x/logs/readonly', {}],
  ['/mcp', { 'X-Buildkite-Toolsets': 'logs' }],
])('%s with %j has the tools of a group', async (path, headers) => {
  const client = await open({ path, headers });
  const { tools: listed } = await client.listTools();
  expect(listed.map(({ name }) => name)).toEqual(['search_logs', 'tail_logs', 'read_logs', 'search_organization_logs']);
  await client.close();
});

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } },
};
const post = (path = '/mcp') =>
  requestsTo(server).post(path).set('Accept', 'application/json, text/event-stream').type('json');

test('without a token it says where to read how to get one', async () => {
  const reply = await post().send(initialize);
  expect(reply.status).toBe(401);
  const where = /resource_metadata="([^"]+)"/.exec(reply.headers['www-authenticate'] ?? '')?.[1] ?? '';
  expect(where).toBe(`${world.services.baseUrl}/.well-known/oauth-protected-resource/mcp`);
  const { body } = await requestsTo(server).get(new URL(where).pathname);
  expect(body).toMatchObject({ resource: `${world.services.baseUrl}/mcp`, bearer_methods_supported: ['header'] });
});

test.each([
  ['a page of another site', { Origin: 'https://evil.test' }, initialize, 403],
  ['no JSON', {}, '{', 400],
  ['too many bytes', {}, { ...initialize, pad: 'x'.repeat(1024 * 1024) }, 413],
  ['an unknown group of tools', { 'X-Buildkite-Toolsets': 'nope' }, initialize, 404],
])('refuses %s', async (_what, headers, body, status) => {
  const reply = await post().set('Authorization', world.admin.authorization).set(headers).send(body);
  expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
});

test('a reply that is too large is cut and says so, and stays JSON', () => {
  const long = { items: Array.from({ length: 50 }, () => ({ text: 'é'.repeat(20_000) })) };
  const cut = boundedReply(long);
  expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThanOrEqual(replyBytes);
  expect((cut as Data).items).toHaveLength(50);
  expect(cut['truncated']).toMatch(/too large/);
  const many = boundedReply({ items: Array.from({ length: 100_000 }, (_, index) => ({ index })) });
  expect(Buffer.byteLength(JSON.stringify(many))).toBeLessThanOrEqual(replyBytes);
  expect(boundedReply({ text: 'a\u202eb\u0007' })).toEqual({ text: 'ab' });
});
