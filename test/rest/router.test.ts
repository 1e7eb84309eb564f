import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Problem, problemCodes } from '../../src/domain/problem.js';
import { defineOperation } from '../../src/operations/operation.js';
import { problemReply, problemStatus } from '../../src/rest/problems.js';
import { type Route, route } from '../../src/rest/route.js';
import { RestWorld } from './rest-world.js';

const echo = defineOperation({
  name: 'echo.say',
  summary: 'Says what it was told.',
  kind: 'command',
  scope: 'write_builds',
  access: 'authenticated',
  audited: false,
  input: z.object({ word: z.string().optional(), defaultBranch: z.string().max(3).optional(), fail: z.string().optional(), seen: z.unknown() }),
  subject: async () => ({}),
  run: async (_context, input) => {
    if (input.fail === 'fault') throw new Error('secret of the inside');
    if (input.fail) throw new Problem(input.fail as never, 'as asked', { retryAfter: 7 });
    return input;
  },
});

const routes: Route[] = [
  route(echo, {
    method: 'post',
    path: '/echo/{name}',
    takesBody: true,
    input: (request) => ({ ...request.body, defaultBranch: request.body['default_branch'], seen: { name: request.param('name'), query: request.query, body: request.body } }),
    reply: { kind: 'object', status: 201, schema: 'Error', present: async (_context, { seen }) => seen as never },
  }),
];

let rest: RestWorld;
beforeAll(async () => (rest = await RestWorld.create({ routes })));
afterAll(() => rest.close());

const send = () => rest.request('post', '/echo/x');

describe('bodies', () => {
  test.each([
    ['null with a JSON type', 'application/json', 'null', {}],
    ['an empty object', 'application/json', '{}', {}],
    ['JSON of another type', 'text/plain', '{"word":"a"}', { word: 'a' }],
    ['JSON that a command line calls a form', 'application/x-www-form-urlencoded', '{"word":"a"}', { word: 'a' }],
  ])('%s is taken', async (_name, type, body, seen) => {
    const reply = await send().set('Content-Type', type).send(body);
    expect([reply.status, reply.body.body]).toEqual([201, seen]);
  });

  test('a body without a content type is JSON', async () => {
    const reply = await send().unset('Content-Type').serialize((text: string) => text).send('{"word":"a"}').unset('Content-Type');
    expect([reply.status, reply.body.body]).toEqual([201, { word: 'a' }]);
  });

  test('no body and no type is an empty body', async () => {
    expect((await send()).status).toBe(201);
  });

  test.each([
    ['not JSON', 'application/json', '{"word":', 400],
    ['a list', 'application/json', '[1]', 400],
    ['nesting without end', 'application/json', `{"a":${'['.repeat(60)}${']'.repeat(60)}}`, 400],
    ['a form', 'application/x-www-form-urlencoded', 'word=a', 415],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 415],
  ])('%s is refused', async (_name, type, body, status) => {
    const reply = await send().set('Content-Type', type).send(body);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });

  test('bytes that are no UTF-8 are refused, never stored as something else', async () => {
    const reply = await send().set('Content-Type', 'application/json').serialize((bytes: Buffer) => bytes as never).send(Buffer.from('{"word":"\xff"}', 'latin1'));
    expect([reply.status, reply.body]).toEqual([400, { message: 'The request body is not valid UTF-8' }]);
  });

  test('a body beyond the limit is refused', async () => {
    const reply = await send().set('Content-Type', 'application/json').send(`{"word":"${'a'.repeat(9 * 1024 * 1024)}"}`);
    expect(reply.status).toBe(413);
  });

  test.each([
    ['its announced length', { 'Content-Length': 99_999_999 }, 0],
    ['what came so far', { 'Transfer-Encoding': 'chunked' }, 9 * 1024 * 1024],
  ])('it is refused by %s, before its end has come', async (_name, headers, sent) => {
    const server = createServer(rest.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const asked = request({ host: '127.0.0.1', port, path: '/v2/echo/x', method: 'POST', headers: { ...headers, Authorization: rest.world.admin.authorization } });
    const status = new Promise((resolve, reject) => asked.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject));
    asked.flushHeaders();
    if (sent > 0) asked.write(' '.repeat(sent));
    expect(await status).toBe(413);
    asked.on('error', () => undefined).destroy();
    server.closeAllConnections();
    server.close();
  });
});

describe('queries and paths', () => {
  test.each([
    ['state=a', { state: 'a' }],
    ['state[]=a&state[]=b', { state: { 0: ['a', 'b'] } }],
    ['state[]=a&state[]=b&state=c', { state: ['a', 'b', 'c'] }],
    ['state%5B%5D=a', { state: { 0: 'a' } }],
    ['state[0]=a&state[1]=b', { state: { 0: 'a', 1: 'b' } }],
    ['meta_data[a b]=c', { meta_data: { 'a b': 'c' } }],
    ['meta_data%5Ba+b%5D=c%20d', { meta_data: { 'a b': 'c d' } }],
    ['Fields=map[a:b]', { Fields: 'map[a:b]' }],
    ['__proto__[x]=1&toString=2', { toString: '2' }],
  ])('%s', async (query, expected) => {
    const reply = await rest.request('post', `/echo/x?${query.replaceAll(' ', '%20')}`);
    expect(reply.status).toBe(201);
    expect(reply.body.query).toMatchObject(expected);
  });

  test.each([
    ['too many parameters', Array.from({ length: 600 }, (_, index) => `a${index}=1`).join('&')],
    ['a null character', 'a=%00'],
  ])('%s is 400', async (_name, query) => {
    expect((await rest.request('post', `/echo/x?${query}`)).status).toBe(400);
  });

  test('segments are decoded one by one', async () => {
    expect((await rest.request('post', '/echo/a%2Fb%20c/')).body.name).toBe('a/b c');
  });

  test('a segment that cannot be decoded is 400, one with a null character names nothing', async () => {
    expect((await rest.request('post', '/echo/%FF')).status).toBe(400);
    expect((await rest.request('post', '/echo/%00')).status).toBe(404);
  });
});

describe('replies to what is wrong', () => {
  test('an unknown route is named without its leading slash', async () => {
    const reply = await rest.get('/nothing/here?x=1', null);
    expect([reply.status, reply.body]).toEqual([404, { message: 'No route matches v2/nothing/here' }]);
    expect(reply.headers['cache-control']).toBe('no-cache');
  });

  test('another method on a known path is 405 with Allow', async () => {
    const reply = await rest.request('delete', '/echo/x');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    expect(reply.body).toEqual({ message: 'Method Not Allowed' });
  });

  test.each(problemCodes.filter((code) => code !== 'invalid'))('%s has a status and a message', async (code) => {
    const reply = await send().send({ fail: code });
    expect([reply.status, reply.body]).toEqual([problemStatus[code], { message: 'as asked' }]);
    expect(reply.headers['retry-after']).toBe('7');
  });

  test('wrong fields are named as they were sent', async () => {
    const reply = await send().send({ default_branch: 'long' });
    expect(reply.status).toBe(422);
    expect(reply.body.message).toBe('Validation Failed');
    expect(reply.body.errors).toEqual([{ field: 'default_branch', code: expect.any(String) }]);
  });

  test('resources that refuse in a sentence name the field in it', () => {
    const problem = new Problem('invalid', 'Validation Failed', { fields: [{ field: 'pipelineTemplateId', code: 'missing' }] });
    expect(problemReply(problem, 'sentence').body).toEqual({ message: 'Validation failed: Pipeline template uuid is missing' });
  });

  test('a fault of ours says nothing of the inside', async () => {
    const reply = await send().set('X-Request-Id', 'my-id').send({ fail: 'fault' });
    expect([reply.status, reply.body]).toEqual([500, { message: 'Internal Server Error', request_id: 'my-id' }]);
  });

  test('no, malformed and unknown credentials are answered alike', async () => {
    const replies = await Promise.all([null, 'Basic abc', 'Bearer', 'Bearer nobody-knows-this-token', 'Token x'].map((header) => {
      const request = rest.request('post', '/echo/x', null);
      return header === null ? request : request.set('Authorization', header);
    }));
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(401);
    expect(replies[0]?.body.message).toMatch(/^Authentication required/);
  });
});

describe('headers', () => {
  test('of every reply', async () => {
    const { headers } = await send();
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'max-age=0, private, must-revalidate',
      vary: 'Accept',
      'access-control-allow-origin': '*',
      'x-accepted-oauth-scopes': 'write_builds',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['x-oauth-scopes']).toMatch(/^read_pipelines,write_pipelines,/);
    expect(headers['access-control-expose-headers']).toContain('Link');
    expect(headers['etag']).toMatch(/^W\/"[0-9a-f]{32}"$/);
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('a request id comes back, unless it could harm a log', async () => {
    expect((await send().set('X-Request-Id', 'abc-1')).headers['x-request-id']).toBe('abc-1');
    expect((await send().set('X-Request-Id', 'a b"c')).headers['x-request-id']).not.toBe('a b"c');
  });

  test('a browser may ask first, without a token', async () => {
    const reply = await rest.request('options', '/echo/x', null);
    expect([reply.status, reply.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
    expect(reply.headers['access-control-allow-headers']).toContain('Authorization');
    expect(reply.headers['access-control-allow-methods']).toContain('PATCH');
  });
});

describe('Idempotency-Key', () => {
  test('the same request gets the first reply, another one with the key is 409', async () => {
    const first = await send().set('Idempotency-Key', 'k1').send({ word: 'a' });
    const again = await send().set('Idempotency-Key', 'k1').send({ word: 'a' });
    const other = await send().set('Idempotency-Key', 'k1').send({ word: 'b' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(other.status).toBe(409);
  });

  test('a refused request leaves the key free, a long key is 400', async () => {
    expect((await send().set('Idempotency-Key', 'k2').send({ default_branch: 'long' })).status).toBe(422);
    expect((await send().set('Idempotency-Key', 'k2').send({ word: 'a' })).status).toBe(201);
    expect((await send().set('Idempotency-Key', 'k'.repeat(256))).status).toBe(400);
  });
});
