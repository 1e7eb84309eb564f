import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Problem, problemCodes } from '../../src/domain/problem.js';
import { defineOperation } from '../../src/core/operation.js';
import { problemReply, problemStatus } from '../../src/rest/replies/problems.js';
import { type Route, route } from '../../src/rest/route.js';
import { RestWorld } from './rest-world.js';

const echo = defineOperation({
  name: 'echo.say',
  summary: 'Says what it was told.',
  kind: 'command',
  scope: 'write_builds',
  access: 'authenticated',
  audited: false,
  input: z.object({
    word: z.string().optional(),
    defaultBranch: z.string().max(3).optional(),
    fail: z.string().optional(),
    seen: z.unknown(),
  }),
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
    input: (request) => ({
      ...request.body,
      defaultBranch: request.body['default_branch'],
      seen: { name: request.param('name'), query: request.query, body: request.body },
    }),
    reply: { kind: 'object', status: 201, schema: 'ErrorReply', present: async (_context, { seen }) => seen as never },
  }),
];

let rest: RestWorld;
beforeAll(async () => (rest = await RestWorld.create({ routes })));
afterAll(() => rest.close());

const send = () => rest.request('post', '/echo/x');

describe('request bodies', () => {
  test.each([
    ['null with a JSON type', 'application/json', 'null', {}],
    ['an empty object', 'application/json', '{}', {}],
    ['JSON of another content type', 'text/plain', '{"word":"a"}', { word: 'a' }],
    ['JSON sent with the content type of a form', 'application/x-www-form-urlencoded', '{"word":"a"}', { word: 'a' }],
  ])('a request with %s as its body is accepted', async (_name, type, body, seen) => {
    const reply = await send().set('Content-Type', type).send(body);
    expect([reply.status, reply.body.body]).toEqual([201, seen]);
  });

  test('a body without a content type is read as JSON', async () => {
    const reply = await send()
      .unset('Content-Type')
      .serialize((text: string) => text)
      .send('{"word":"a"}')
      .unset('Content-Type');
    expect([reply.status, reply.body.body]).toEqual([201, { word: 'a' }]);
  });

  test('a request without body and content type is accepted with an empty body', async () => {
    expect((await send()).status).toBe(201);
  });

  test.each([
    ['text that is not JSON', 'application/json', '{"word":', 400],
    ['a list', 'application/json', '[1]', 400],
    ['nesting that is too deep', 'application/json', `{"a":${'['.repeat(60)}${']'.repeat(60)}}`, 400],
    ['a form', 'application/x-www-form-urlencoded', 'word=a', 415],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--', 415],
  ])('a request with %s as its body is refused', async (_name, type, body, status) => {
    const reply = await send().set('Content-Type', type).send(body);
    expect([reply.status, typeof reply.body.message]).toEqual([status, 'string']);
  });

  test('a body that is not valid UTF-8 is refused', async () => {
    const reply = await send()
      .set('Content-Type', 'application/json')
      .serialize((bytes: Buffer) => bytes as never)
      .send(Buffer.from('{"word":"\xff"}', 'latin1'));
    expect([reply.status, reply.body]).toEqual([400, { message: 'The request body is not valid UTF-8' }]);
  });

  test('a body beyond the limit is refused', async () => {
    const reply = await send()
      .set('Content-Type', 'application/json')
      .send(`{"word":"${'a'.repeat(9 * 1024 * 1024)}"}`);
    expect(reply.status).toBe(413);
  });

  test.each([
    ['its announced length', { 'Content-Length': 99_999_999 }, 0],
    ['the bytes received so far', { 'Transfer-Encoding': 'chunked' }, 9 * 1024 * 1024],
  ])('an oversized body is refused because of %s, before it has ended', async (_name, headers, sent) => {
    const server = createServer(rest.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const asked = request({
      host: '127.0.0.1',
      port,
      path: '/v2/echo/x',
      method: 'POST',
      headers: { ...headers, Authorization: rest.world.admin.authorization },
    });
    const status = new Promise((resolve, reject) =>
      asked.on('response', ({ statusCode }) => resolve(statusCode)).on('error', reject),
    );
    asked.flushHeaders();
    if (sent > 0) asked.write(' '.repeat(sent));
    expect(await status).toBe(413);
    asked.on('error', () => undefined).destroy();
    server.closeAllConnections();
    server.close();
  });
});

describe('query strings and paths', () => {
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
  ])('the query string %s is parsed into the expected parameters', async (query, expected) => {
    const reply = await rest.request('post', `/echo/x?${query.replaceAll(' ', '%20')}`);
    expect(reply.status).toBe(201);
    expect(reply.body.query).toMatchObject(expected);
  });

  test.each([
    ['too many parameters', Array.from({ length: 1_001 }, (_, index) => `a${index}=1`).join('&')],
    ['a null character', 'a=%00'],
  ])('a query string with %s is answered 400', async (_name, query) => {
    expect((await rest.request('post', `/echo/x?${query}`)).status).toBe(400);
  });

  test('path segments are decoded one by one', async () => {
    expect((await rest.request('post', '/echo/a%2Fb%20c/')).body.name).toBe('a/b c');
  });

  test('a path segment that cannot be decoded is answered 400, and one with a null character 404', async () => {
    expect((await rest.request('post', '/echo/%FF')).status).toBe(400);
    expect((await rest.request('post', '/echo/%00')).status).toBe(404);
  });
});

describe('replies to invalid requests', () => {
  test('an unknown route is answered with its path without the leading slash', async () => {
    const reply = await rest.get('/nothing/here?x=1', null);
    expect([reply.status, reply.body]).toEqual([404, { message: 'No route matches v2/nothing/here' }]);
    expect(reply.headers['cache-control']).toBe('no-cache');
  });

  test('another method on a known path is answered 405 with Allow', async () => {
    const reply = await rest.request('delete', '/echo/x');
    expect([reply.status, reply.headers['allow']]).toEqual([405, 'POST, OPTIONS']);
    expect(reply.body).toEqual({ message: 'Method Not Allowed' });
  });

  test.each(problemCodes.filter((code) => code !== 'invalid'))(
    'the problem code %s has a status and a message',
    async (code) => {
      const reply = await send().send({ fail: code });
      expect([reply.status, reply.body]).toEqual([problemStatus[code], { message: 'as asked' }]);
      expect(reply.headers['retry-after']).toBe('7');
    },
  );

  test('invalid fields are reported under the names they were sent with', async () => {
    const reply = await send().send({ default_branch: 'long' });
    expect(reply.status).toBe(422);
    expect(reply.body.message).toBe('Validation Failed');
    expect(reply.body.errors).toEqual([{ field: 'default_branch', code: expect.any(String) }]);
  });

  test('resources that report problems in a sentence name the field in it', () => {
    const problem = new Problem('invalid', 'Validation Failed', {
      fields: [{ field: 'pipelineTemplateId', code: 'missing' }],
    });
    expect(problemReply(problem, 'sentence').body).toEqual({
      message: 'Validation failed: Pipeline template uuid is missing',
    });
  });

  test('an internal error is answered 500 without internal details', async () => {
    const reply = await send().set('X-Request-Id', 'my-id').send({ fail: 'fault' });
    expect([reply.status, reply.body]).toEqual([500, { message: 'Internal Server Error', request_id: 'my-id' }]);
  });

  test('missing, malformed and unknown credentials are answered alike', async () => {
    const replies = await Promise.all(
      [null, 'Basic abc', 'Bearer', 'Bearer nobody-knows-this-token', 'Token x'].map((header) => {
        const request = rest.request('post', '/echo/x', null);
        return header === null ? request : request.set('Authorization', header);
      }),
    );
    expect(new Set(replies.map((reply) => `${reply.status} ${reply.text}`)).size).toBe(1);
    expect(replies[0]?.status).toBe(401);
    expect(replies[0]?.body.message).toMatch(/^Authentication required/);
  });
});

describe('headers of a request and its reply', () => {
  test('every reply has the documented headers', async () => {
    const { headers } = await send();
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'max-age=0, private, must-revalidate',
      vary: 'Accept, Accept-Encoding',
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

  test('a request id is returned, unless it could harm a log', async () => {
    expect((await send().set('X-Request-Id', 'abc-1')).headers['x-request-id']).toBe('abc-1');
    expect((await send().set('X-Request-Id', 'a b"c')).headers['x-request-id']).not.toBe('a b"c');
  });

  test('the preflight request of a browser is answered without a token', async () => {
    const reply = await rest.request('options', '/echo/x', null);
    expect([reply.status, reply.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
    expect(reply.headers['access-control-allow-headers']).toContain('Authorization');
    expect(reply.headers['access-control-allow-methods']).toContain('PATCH');
  });
});

describe('Idempotency-Key', () => {
  test('one Idempotency-Key returns the first reply again, and answers 409 to another request', async () => {
    const first = await send().set('Idempotency-Key', 'k1').send({ word: 'a' });
    const again = await send().set('Idempotency-Key', 'k1').send({ word: 'a' });
    const other = await send().set('Idempotency-Key', 'k1').send({ word: 'b' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(other.status).toBe(409);
  });

  test('a refused request leaves its Idempotency-Key unused, and a too long key is answered 400', async () => {
    expect((await send().set('Idempotency-Key', 'k2').send({ default_branch: 'long' })).status).toBe(422);
    expect((await send().set('Idempotency-Key', 'k2').send({ word: 'a' })).status).toBe(201);
    expect((await send().set('Idempotency-Key', 'k'.repeat(256))).status).toBe(400);
  });
});
