import type { Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { hashToken } from '../../src/auth/secrets.js';
import { agentRoutes } from '../../src/agent-api/routes.js';
import { agentRouter } from '../../src/agent-api/router.js';
import { badgeRouter } from '../../src/web/badges.js';
import { referenceRouter } from '../../src/web/reference.js';
import { consoleRouter } from '../../src/web/router.js';
import { limits } from '../../src/domain/limits/limits.js';
import { filesRouter } from '../../src/artifact-transfer/router.js';
import { graphqlRouter, type GraphqlSurface } from '../../src/graphql/server/router.js';
import { restSurface } from '../../src/rest/router.js';
import { routes } from '../../src/rest/routes.js';
import { createApplication } from '../../src/server/application.js';
import { Gate } from '../../src/server/gate.js';
import { createHttpServer } from '../../src/server/listen.js';
import { webhookTokenColumns } from '../../src/resources/pipelines/url-token.js';
import { ownershipRouter, uploadRouter } from '../../src/test-uploads/router.js';
import { webhookRouter } from '../../src/webhooks/router.js';
import { buildOf, ScriptedAgent } from '../support/scripted-agent.js';
import { announced } from '../support/artifact-world.js';
import { World } from '../support/world.js';

let world: World;
let server: Server;
let graphql: GraphqlSurface;
/** Authorization headers by surface. */
const known = { user: '', agent: '', suite: '' };
const paths = { webhook: '', put: '' };

beforeAll(async () => {
  world = await World.create();
  const { services } = world;
  graphql = await graphqlRouter(services);
  const surfaces = [
    { path: '/v2', router: restSurface(services).router },
    { path: '/graphql', router: graphql.router },
    { path: '/v3', router: agentRouter(services) },
    { path: '/webhooks', router: webhookRouter(services) },
    { path: '/v1/test-ownerships', router: ownershipRouter(services) },
    { path: '/v1/uploads', router: uploadRouter(services) },
    { path: '/files', router: filesRouter(services) },
    { path: '/badge', router: badgeRouter(services) },
    { path: '/docs', router: referenceRouter() },
    { path: '/', router: consoleRouter(services) },
  ];
  const application = createApplication(services, surfaces, { metrics: true });
  const gate = new Gate(application);
  server = createHttpServer(gate.listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  known.user = world.admin.authorization;
  const token = 'a-webhook-token-of-the-tests';
  await world.pipeline('steps: [{ command: make }]', webhookTokenColumns(services, token));
  paths.webhook = `/webhooks/deliver/${token}`;
  await world.insert('suites', {
    organizationId: world.organization.id,
    slug: 'unit',
    name: 'Unit',
    defaultBranch: 'main',
    tokenHash: hashToken('suite-token'),
  });
  known.suite = 'Token token="suite-token"';
  const { build } = await buildOf(world, 'steps: [{ command: make }]');
  expect(build.state).toBe('scheduled');
  const agent = await ScriptedAgent.connected(application, world.agentToken);
  known.agent = `Token ${agent.session}`;
  const job = await agent.takeJob();
  const { body } = await agent.call('post', `/jobs/${job}/artifacts`, agent.jobToken).send({
    id: world.system().newId(),
    artifacts: [announced('a.txt', 'hello')],
    upload_destination: '',
    multipart_supported: true,
  });
  const [put] = Object.values(body.per_artifact_instructions as Record<string, { actions: { url: string }[] }>);
  const { pathname, search } = new URL(put?.actions[0]?.url ?? '');
  paths.put = pathname + search;
}, 60_000);
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await graphql.stop();
  await world.close();
});

/** Sends a request head and the start of a body, never ends the request, and returns the status of the reply. */
async function statusOf(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body: Buffer | string = '',
): Promise<number | undefined> {
  return (await statusesOf(method, path, headers, body)).at(-1);
}

/** The same, including a `100 Continue` before the reply; only that status if the server then waits for the body. */
function statusesOf(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  body: Buffer | string,
): Promise<number[]> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => {
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\n${Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')}\r\n`,
      );
      socket.write(body);
    });
    socket.setTimeout(8_000, () =>
      socket.destroy(new Error(`${method} ${path}: no answer while the body is held back`)),
    );
    socket.on('error', reject).on('data', (chunk) => {
      text += chunk.toString('latin1');
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));
      if (statuses.length === 0) return;
      socket.destroy();
      resolve(statuses);
    });
  });
}

const huge = { 'Content-Length': 99_999_999_999, 'Content-Type': 'application/json' };
/** Headers of a request whose body, announced as compressed and of unknown size, is never sent. */
const unsent = { 'Transfer-Encoding': 'chunked', 'Content-Encoding': 'gzip' };
const inAddress = (path: string) => path.replace(/\{\w+\}|:\w+/g, 'x');

/** Every route of every surface that reads a body; `authorization` is null where the path itself is the credential. */
type Row = [
  name: string,
  method: string,
  path: () => string,
  credential: keyof typeof known | null,
  stranger: () => string,
];
const rows: Row[] = [
  ...routes
    .filter(({ method, operation }) => method !== 'get' && operation.access !== 'anyone')
    .map(({ method, path }): Row => [
      `${method} /v2${path}`,
      method.toUpperCase(),
      () => `/v2${inAddress(path)}`,
      'user',
      () => `/v2${inAddress(path)}`,
    ]),
  ...agentRoutes.map(({ method, path }): Row => [
    `${method} /v3${path}`,
    method.toUpperCase(),
    () => `/v3${inAddress(path)}`,
    'agent',
    () => `/v3${inAddress(path)}`,
  ]),
  ['post /graphql', 'POST', () => '/graphql', 'user', () => '/graphql'],
  ['post /graphql/stream', 'POST', () => '/graphql/stream', 'user', () => '/graphql/stream'],
  ['post /v1/uploads', 'POST', () => '/v1/uploads', 'suite', () => '/v1/uploads'],
  ['post /v1/test-ownerships', 'POST', () => '/v1/test-ownerships', 'suite', () => '/v1/test-ownerships'],
  ['post /webhooks/deliver', 'POST', () => paths.webhook, null, () => '/webhooks/deliver/nobody-has-this-token'],
  [
    'post /webhooks/deliver of a trigger',
    'POST',
    () => paths.webhook,
    null,
    () => `/webhooks/deliver/bktr_${'0'.repeat(40)}`,
  ],
  ['put /files/uploads', 'PUT', () => paths.put, null, () => paths.put.replace(/signature=.*/, 'signature=x')],
];

describe('the order in which every surface checks credential, size and body', () => {
  test.each(rows)(
    '%s refuses a stranger before any of the body has arrived',
    async (_name, method, _path, credential, stranger) => {
      const expected = credential === null ? 404 : 401;
      expect(
        await statusOf(method, stranger(), { ...unsent, ...(credential ? { Authorization: 'Bearer nobody' } : {}) }),
      ).toBe(expected);
      expect(
        await statusOf(method, stranger(), { ...huge, ...(credential ? { Authorization: 'Bearer nobody' } : {}) }),
      ).toBe(expected);
    },
  );

  test.each(rows)(
    '%s refuses a body announced as too large before any of it has arrived',
    async (_name, method, path, credential) => {
      const headers = {
        ...huge,
        'X-GitHub-Event': 'push',
        ...(credential ? { Authorization: known[credential] } : {}),
      };
      expect(await statusOf(method, path(), headers)).toBe(413);
    },
  );

  test.each([
    '/docs',
    '/healthz',
    '/metrics',
    '/',
    '/acme/app',
    `/badge/${'0'.repeat(50)}.svg`,
    '/nothing/at/all/of/this',
  ])('POST %s answers without reading the body', async (path) => {
    expect(await statusOf('POST', path, unsent)).toBeGreaterThanOrEqual(404);
  });

  test('a form too large for any artifact is refused at once, before its credential among the fields', async () => {
    expect(
      await statusOf('POST', '/files/uploads', { ...huge, 'Content-Type': 'multipart/form-data; boundary=b' }),
    ).toBe(413);
  });
});

describe('the size of a body as it arrives', () => {
  const chunk = (bytes: Buffer) =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const surfaces: [string, string, keyof typeof known | null, number][] = [
    ['/v2/organizations/acme/pipelines', 'POST', 'user', limits.jsonBodyBytes],
    ['/graphql', 'POST', 'user', limits.jsonBodyBytes],
    ['/v3/heartbeat', 'POST', 'agent', limits.jsonBodyBytes],
    ['/v1/uploads', 'POST', 'suite', limits.testUploadBytes],
    ['webhook', 'POST', null, limits.webhookBodyBytes],
  ];
  const headersOf = (credential: keyof typeof known | null) => ({
    'X-GitHub-Event': 'push',
    'Content-Type': 'application/json',
    'Transfer-Encoding': 'chunked',
    ...(credential ? { Authorization: known[credential] } : {}),
  });

  test.each(surfaces)(
    '%s refuses a chunked body as soon as it exceeds the limit',
    async (path, method, credential, limit) => {
      expect(
        await statusOf(
          method,
          path === 'webhook' ? paths.webhook : path,
          headersOf(credential),
          chunk(Buffer.alloc(limit + 1, ' ')),
        ),
      ).toBe(413);
    },
  );

  test.each(surfaces)(
    '%s refuses a small body that exceeds the limit when decompressed, while it is decompressed',
    async (path, method, credential, limit) => {
      const bomb = gzipSync(Buffer.alloc(limit + 1, ' '));
      expect(bomb.length).toBeLessThan(limit / 100);
      expect(
        await statusOf(
          method,
          path === 'webhook' ? paths.webhook : path,
          { ...headersOf(credential), 'Content-Encoding': 'gzip' },
          chunk(bomb),
        ),
      ).toBe(413);
    },
  );

  test('a client that expects 100-continue is asked for its body only where the body is read', async () => {
    const waiting = { Expect: '100-continue', 'Content-Length': 10 };
    expect(await statusesOf('POST', '/graphql', { ...waiting, Authorization: 'Bearer nobody' }, '')).toEqual([401]);
    expect(await statusesOf('POST', '/docs', waiting, '')).toEqual([404]);
    expect(await statusesOf('POST', '/graphql', { ...waiting, Authorization: known.user }, '')).toEqual([100]);
    expect(await statusesOf('POST', paths.webhook, { ...waiting, 'X-GitHub-Event': 'push' }, '')).toEqual([100]);
  });
});
