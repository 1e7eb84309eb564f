import request from 'supertest';
import { Door } from '../support.js';

describe('POST /graphql', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  const viewer = '{ viewer { user { email } } }';

  test('POST /graphql answers a query about the viewer with a request id and the cost in headers', async () => {
    const reply = await door.post().send({ query: viewer });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ data: { viewer: { user: { email: door.world.admin.email } } } });
    expect(reply.headers['x-request-id']).toMatch(/^[\w-]{10,}$/);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect([reply.headers['ratelimit-complexity-requested'], reply.headers['ratelimit-complexity-actual']]).toEqual([
      '2',
      '2',
    ]);
  });

  test.each([
    ['no content type', undefined],
    ['JSON', 'application/json'],
    ['plain text', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
  ])('POST /graphql accepts JSON sent as %s', async (_what, type) => {
    const sent = door.post().serialize((body) => body as string);
    const reply = await (type === undefined ? sent.unset('Content-Type') : sent.set('Content-Type', type)).send(
      JSON.stringify({ query: viewer }),
    );
    expect([reply.status, reply.body.data?.viewer.user.email]).toEqual([200, door.world.admin.email]);
  });

  test.each([
    ['an object', { slug: 'acme' }],
    ['JSON text', '{ "slug": "acme" }'],
  ])('POST /graphql accepts variables as %s', async (_what, variables) => {
    const reply = await door.post().send({
      query: 'query Find($slug: ID!) { organization(slug: $slug) { name } }',
      variables,
      operationName: 'Find',
    });
    expect(reply.body).toEqual({ data: { organization: { name: 'Acme Inc' } } });
  });

  test.each([
    ['null', null],
    ['empty text', ''],
    ['the text of an empty object', '{ }'],
    ['the text null', 'null'],
  ])('POST /graphql accepts empty variables as %s', async (_what, variables) => {
    const reply = await door.post().send({ query: viewer, variables, operationName: null });
    expect(reply.body.data.viewer.user.email).toBe(door.world.admin.email);
  });

  test('POST /graphql answers in the media type the client accepts', async () => {
    const accept = 'application/graphql-response+json, application/json';
    const reply = await door.post().set('Accept', accept).send({ query: '{ nothing }' });
    expect([reply.status, reply.headers['content-type']]).toEqual([
      400,
      'application/graphql-response+json; charset=utf-8',
    ]);
    expect(reply.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
    const any = await door.post().set('Accept', '*/*').send({ query: viewer });
    expect(any.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  test.each([
    ['a syntax error', { query: '{ viewer {' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ viewer { shoeSize } }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a variable of the wrong type',
      { query: 'query ($n: Int!) { viewer { organizations(first: $n) { count } } }', variables: { n: 'x' } },
      'BAD_USER_INPUT',
    ],
    [
      'an operation that is not in the document',
      { query: 'query A { viewer { id } }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'an invalid time',
      { query: '{ organization(slug: "acme") { builds(createdAtFrom: "soon") { count } } }' },
      'GRAPHQL_VALIDATION_FAILED',
    ],
  ])('POST /graphql reports %s with status 200', async (_what, body, code) => {
    const reply = await door.post().send(body);
    expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([200, code]);
    expect(JSON.stringify(reply.body)).not.toMatch(/node_modules|stacktrace/);
  });

  test('POST /graphql refuses callers without a token with 401 before reading the body', async () => {
    for (const authorization of [undefined, 'Bearer nobody', 'Basic abc', 'Bearer ']) {
      const sent = request(door.app).post('/graphql').set('Content-Type', 'application/json');
      const reply = await (authorization === undefined ? sent : sent.set('Authorization', authorization)).send(
        '{ not json',
      );
      expect([reply.status, reply.body.errors[0].extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(reply.body.message).toBe(reply.body.errors[0].message);
    }
  });

  test.each([
    ['a body that is not JSON', '{ not json', 400],
    ['a body without a document', '{}', 400],
    ['a body of null', 'null', 400],
    ['a batch', JSON.stringify([{ query: viewer }]), 400],
    ['variables that are a list', JSON.stringify({ query: viewer, variables: [1] }), 400],
    ['variables that are no JSON', JSON.stringify({ query: viewer, variables: '{' }), 400],
    ['3,000 braces inside each other', JSON.stringify({ query: '{a'.repeat(3_000) }), 400],
    [
      'a value of 3,000 lists inside each other',
      JSON.stringify({ query: `{ a(b: ${'['.repeat(3_000)}${']'.repeat(3_000)}) }` }),
      400,
    ],
    [
      'variables of 3,000 lists inside each other',
      `{"query":"{ viewer { id } }","variables":{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}}`,
      400,
    ],
    ['a document of more than 256 KiB', JSON.stringify({ query: `${viewer}${' '.repeat(256 * 1024)}` }), 413],
    [
      'a body of more than 8 MiB',
      JSON.stringify({ query: viewer, variables: { x: 'x'.repeat(8 * 1024 * 1024) } }),
      413,
    ],
  ])('POST /graphql refuses %s', async (_what, body, status) => {
    const reply = await door.post().set('Content-Type', 'application/json').send(body);
    expect([reply.status, typeof reply.body.message, reply.body.errors.length]).toEqual([status, 'string', 1]);
    expect(reply.body.message).not.toContain('call stack');
  });

  test('GET and other methods on /graphql are refused with 405', async () => {
    for (const method of ['get', 'put', 'delete'] as const) {
      const reply = await request(door.app)
        [method]('/graphql?query={viewer{id}}')
        .set('Authorization', door.world.admin.authorization);
      expect([reply.status, reply.headers['allow'], typeof reply.body.message]).toEqual([405, 'POST', 'string']);
    }
  });

  test('a WebSocket handshake without its Upgrade header is answered 426 with an explanation', async () => {
    const reply = await request(door.app)
      .get('/graphql')
      .set({ 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==', 'Sec-WebSocket-Version': '13' });
    expect([reply.status, reply.headers['upgrade']]).toEqual([426, 'websocket']);
    expect(reply.body.errors[0].message).toContain('proxy_set_header Upgrade $http_upgrade');
  });

  test('internal errors are masked, with the id of the request', async () => {
    const logged: object[] = [];
    const { services } = door.world;
    const broken = await Door.onto(
      Object.assign(Object.create(door.world), {
        services: {
          ...services,
          get baseUrl(): string {
            throw new Error('secret of the inside');
          },
          log: { ...services.log, error: (fields: object) => logged.push(fields) },
        },
      }) as typeof door.world,
    );
    await door.world.pipeline('steps: [{ command: "true" }]', { slug: 'masked', name: 'Masked' });
    const reply = await broken.post().send({ query: '{ pipeline(slug: "acme/masked") { url } }' });
    expect(reply.status).toBe(200);
    expect(reply.body.errors).toEqual([
      {
        message: 'Internal Server Error',
        locations: expect.anything(),
        path: ['pipeline', 'url'],
        extensions: { code: 'INTERNAL_SERVER_ERROR', requestId: reply.headers['x-request-id'] },
      },
    ]);
    expect(JSON.stringify(reply.body)).not.toContain('secret');
    expect(logged).toHaveLength(1);
    await broken.stop();
  });
});

describe('limits of a GraphQL document', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  test('a document with too much depth or too many aliases, directives or tokens is refused', async () => {
    const deep = (levels: number) =>
      `{ organization(slug: "acme") { ${'pipelines(first: 1) { nodes { organization { '.repeat(levels)} id ${'} } }'.repeat(levels)} } }`;
    expect((await door.refusal(deep(10))).message).toContain('levels deep');
    expect(
      (await door.refusal(`{ ${Array.from({ length: 201 }, (_, i) => `a${i}: viewer { id }`).join(' ')} }`)).message,
    ).toContain('aliases');
    expect(
      (await door.refusal(`{ ${Array.from({ length: 101 }, () => 'viewer @include(if: true) { id }').join(' ')} }`))
        .message,
    ).toContain('directives');
    expect((await door.refusal(`{ ${'viewer { id } '.repeat(5_001)} }`)).code).toBe('GRAPHQL_PARSE_FAILED');
  });

  test('fragments that multiply one another are refused quickly', async () => {
    const fragments = Array.from(
      { length: 25 },
      (_, i) =>
        `fragment F${i} on Organization { a${i}: builds(first: 1) { nodes { organization { ...F${i + 1} } } } b${i}: builds(first: 1) { nodes { organization { ...F${i + 1} } } } }`,
    );
    const started = process.hrtime.bigint();
    const { errors } = await door.ask(
      `{ organization(slug: "acme") { ...F0 } } ${fragments.join(' ')} fragment F25 on Organization { id }`,
    );
    expect(errors?.length).toBeGreaterThan(0);
    expect(Number(process.hrtime.bigint() - started) / 1e9).toBeLessThan(20);
  });

  test.each([
    [
      'the documented example',
      '{ organization(slug: "acme") { pipelines(first: 500) { edges { node { slug } } } } }',
      503,
    ],
    [
      'lists inside lists multiply',
      '{ organization(slug: "acme") { pipelines(first: 500) { edges { node { builds(first: 500) { edges { node { number } } } } } } } }',
      251_503,
    ],
    [
      'an absent page size counts as the maximum',
      '{ viewer { organizations { edges { node { pipelines(first: 500) { edges { node { repository { url } } } } } } } } }',
      501_503,
    ],
    ['a count without nodes', '{ organization(slug: "acme") { pipelines { count } } }', 2],
    [
      'each fragment counts once',
      '{ organization(slug: "acme") { ...A ...B } } fragment A on Organization { pipelines(first: 10) { edges { node { id } } } } fragment B on Organization { pipelines(first: 10) { edges { node { name } } } }',
      13,
    ],
    [
      'skipped fields cost nothing',
      '{ organization(slug: "acme") { pipelines(first: 10) @skip(if: true) { edges { node { id } } } } }',
      1,
    ],
    [
      'the most expensive member of a union counts',
      '{ organization(slug: "acme") { jobs(first: 10) { edges { node { ... on JobTypeCommand { agent { id } build { id } } ... on JobTypeWait { build { id } } } } } } }',
      33,
    ],
  ])('the requested complexity is computed as documented: %s', async (_what, query, cost) => {
    const reply = await door.post().set('Buildkite-Include-Query-Stats', 'true').send({ query });
    expect(reply.body.stats.requestedComplexity).toBe(cost);
    expect(reply.headers['ratelimit-complexity-requested']).toBe(String(cost));
    const refused = cost > 50_000;
    expect(reply.body.errors?.[0].message).toBe(
      refused ? `Query has complexity of ${cost}, which exceeds max complexity of 50000` : undefined,
    );
    expect([reply.status, reply.body.data === undefined]).toEqual([200, refused]);
  });

  test('the actual complexity counts the returned objects', async () => {
    await door.world.pipeline('steps: [{ command: "true" }]', { slug: 'one', name: 'One' });
    const reply = await door.post().set('Buildkite-Include-Query-Stats', 'true').send({
      query: '{ organization(slug: "acme") { pipelines(first: 500) { edges { node { tags { label } } } } } }',
    });
    expect(reply.body.stats).toEqual({ requestedComplexity: 1003, actualComplexity: 4 });
  });
});
