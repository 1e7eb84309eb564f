import { RestWorld } from './rest-world.js';

const all = '/organizations/acme/pipelines';
const builds = `${all}/app/builds`;
let rest: RestWorld;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline('steps: [{ command: make }]', { slug: 'app', createdById: rest.world.admin.id });
  await rest.post(builds, { commit: 'HEAD', branch: 'main', meta_data: { 'a b': 'c' } });
});
afterAll(() => rest.close());

describe('headers of every reply', () => {
  const create = () => rest.post(builds, { commit: 'HEAD', branch: 'main' });
  const noScopes = async () =>
    rest.get(
      all,
      await rest.world.personWithToken(rest.world.admin.id, rest.world.admin.email, { scopes: ['read_user'] }),
    );
  const replies: [
    number,
    string,
    () => PromiseLike<{ status: number; headers: Record<string, string>; text: string }>,
    string,
  ][] = [
    [200, 'a resource', () => rest.get(`${all}/app`), 'max-age=0, private, must-revalidate'],
    [200, 'a list', () => rest.get(all), 'max-age=0, private, must-revalidate'],
    [201, 'a created resource', create, 'max-age=0, private, must-revalidate'],
    [
      204,
      'a deletion',
      async () => rest.request('delete', `${builds}/1/jobs/${(await rest.get(`${builds}/1`)).body.jobs[0].id}/log`),
      'no-cache',
    ],
    [401, 'no token', () => rest.get(all, null), 'no-cache'],
    [403, 'a missing scope', noScopes, 'no-cache'],
    [404, 'an absent resource', () => rest.get(`${all}/none`), 'no-cache'],
    [404, 'an unknown route', () => rest.get('/none'), 'no-cache'],
    [405, 'another method', () => rest.put(all), 'no-cache'],
    [422, 'invalid fields', () => rest.post(builds, {}), 'no-cache'],
  ];
  test.each(replies)(
    'status %i is answered with the standard headers for %s',
    async (status, _what, ask, cacheControl) => {
      const reply = await ask();
      expect(reply.status).toBe(status);
      expect(reply.headers).toMatchObject({
        'cache-control': cacheControl,
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        vary: expect.stringContaining('Accept'),
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('PATCH'),
        'access-control-expose-headers': expect.stringMatching(/Link.*RateLimit-Remaining/),
        'x-frame-options': 'SAMEORIGIN',
        'x-content-type-options': 'nosniff',
        'x-xss-protection': '0',
        'referrer-policy': 'strict-origin-when-cross-origin',
      });
      if (status !== 204) expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
      expect('etag' in reply.headers).toBe(status === 200 || status === 201);
    },
  );

  test("the token's scopes and the endpoint's scope are in the headers as soon as the token is known", async () => {
    const forbidden = await noScopes();
    expect([forbidden.headers['x-oauth-scopes'], forbidden.headers['x-accepted-oauth-scopes']]).toEqual([
      'read_user',
      'read_pipelines',
    ]);
    expect((await rest.get(`${all}/none`)).headers['x-accepted-oauth-scopes']).toBe('read_pipelines');
    expect((await rest.get(all)).headers['x-oauth-scopes']).not.toContain(' ');
    expect((await rest.get(all)).headers['x-runtime']).toMatch(/^\d+\.\d{6}$/);
  });
});

describe('ETag', () => {
  test.each([
    ['a resource', `${all}/app`],
    ['a list', all],
    ['a build', `${builds}/1`],
    ['the caller', '/user'],
  ])('the ETag of %s is weak and answers 304 until the resource changes', async (_what, path) => {
    const first = await rest.get(path);
    const tag = String(first.headers['etag']);
    expect(tag).toMatch(/^W\/"[0-9a-f]{32}"$/);
    for (const given of [tag, `"other", ${tag}`, tag.slice(2), '*']) {
      const again = await rest.get(path).set('If-None-Match', given);
      expect([given, again.status, again.text, again.headers['etag'], again.headers['content-type']]).toEqual([
        given,
        304,
        '',
        tag,
        undefined,
      ]);
    }
    expect((await rest.request('head', path).set('If-None-Match', tag)).status).toBe(304);
    const bypassing = { 'If-None-Match': tag, 'Cache-Control': 'no-cache' };
    expect((await rest.get(path).set(bypassing)).status).toBe(304);
    expect((await rest.get(path).set('If-None-Match', 'W/"0"')).status).toBe(200);
  });

  test('the ETag changes with the resource and does not delay a write', async () => {
    const tag = String((await rest.get(`${all}/app`)).headers['etag']);
    const changed = await rest
      .request('patch', `${all}/app`)
      .set('If-None-Match', '*')
      .send({ description: 'changed' });
    expect(changed.status).toBe(200);
    expect((await rest.get(`${all}/app`).set('If-None-Match', tag)).status).toBe(200);
  });
});

describe('requests from browsers of other origins', () => {
  test('browsers of other origins may send requests with a token and read the headers they need', async () => {
    const preflight = await rest.request('options', builds, null).set({
      Origin: 'https://elsewhere.example',
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type',
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      allow: 'GET, HEAD, POST, OPTIONS',
      'access-control-max-age': '86400',
    });
    for (const name of ['authorization', 'content-type', 'if-none-match', 'idempotency-key'])
      expect(String(preflight.headers['access-control-allow-headers']).toLowerCase()).toContain(name);
    // The API uses no cookies, so browsers must not be allowed to send credentials along.
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('methods and paths', () => {
  test.each([
    ['put', builds, 'GET, HEAD, POST, OPTIONS'],
    ['post', `${builds}/1`, 'GET, HEAD, OPTIONS'],
    ['get', `${builds}/1/cancel`, 'PUT, OPTIONS'],
    ['delete', '/builds', 'GET, HEAD, OPTIONS'],
    ['patch', '/access-token', 'GET, HEAD, DELETE, OPTIONS'],
  ] as const)('%s %s is answered 405, and Allow names the accepted methods', async (method, path, allow) => {
    for (const slash of ['', '/']) {
      const reply = await rest.request(method, path + slash);
      expect([reply.status, reply.headers['allow'], reply.body]).toEqual([
        405,
        allow,
        { message: 'Method Not Allowed' },
      ]);
    }
  });

  test.each(['get', 'post', 'put', 'patch', 'delete'] as const)(
    '%s of an unknown route is answered 404 with the path without its leading slash',
    async (method) => {
      const reply = await rest.request(method, '/organizations/acme/nothing/');
      expect([reply.status, reply.body]).toEqual([404, { message: 'No route matches v2/organizations/acme/nothing/' }]);
    },
  );

  test('writes accept a trailing slash', async () => {
    expect((await rest.post(`${builds}/`, { commit: 'HEAD', branch: 'main' })).status).toBe(201);
    expect((await rest.put(`${builds}/1/rebuild/`)).status).toBe(200);
  });
});

describe('query parameters', () => {
  const count = async (query: string) => (await rest.get(`${builds}?${query}`)).body.length;
  test.each([
    'branch=main',
    'branch[]=main',
    'branch[0]=main',
    'branch%5B%5D=main',
    'branch%5b%5d=main',
    'branch%5B0%5D=main',
    'branch[]=main&branch[]=none',
    'branch[0]=none&branch[1]=main',
  ])('arrays are accepted as %s', async (query) => expect(await count(`${query}&meta_data[a b]=c`)).toBeGreaterThan(0));

  test.each(['meta_data[a%20b]=c', 'meta_data[a+b]=c', 'meta_data%5Ba%20b%5D=c', 'meta_data%5Ba+b%5D=c'])(
    'maps are accepted as %s',
    async (query) => expect(await count(query)).toBeGreaterThan(0),
  );

  test.each([
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.000Z',
    '2026-01-02T03:04:05',
    '2026-01-02',
    '2026-01-02T04:04:05+01:00',
    '2026-01-02T04%3A04%3A05%2B01%3A00',
  ])('times are accepted as %s', async (time) => {
    expect(await count(`created_from=${time}`)).toBeGreaterThan(0);
    expect(await count(`created_to=${time}`)).toBe(0);
  });

  test.each([
    'state=nonsense',
    'created_from=yesterday',
    'creator=nobody',
    'include_retried_jobs=perhaps',
    'page=x',
    'per_page=1.5',
    'meta_data=x',
  ])('the parameter %s is answered 400 with a message or finds nothing', async (query) => {
    const reply = await rest.get(`${builds}?${query}`);
    expect(reply.status === 400 ? typeof reply.body.message : reply.body).toEqual(reply.status === 400 ? 'string' : []);
  });
});

describe('request bodies', () => {
  test('every write ignores unknown keys', async () => {
    const extra = { unknown: { deep: [1] }, graphql_id: 'x' };
    expect(
      (
        await rest.post(all, {
          name: 'Extra',
          repository: 'git@github.com:acme/x.git',
          configuration: 'steps: [wait]',
          ...extra,
        })
      ).status,
    ).toBe(201);
    expect((await rest.request('patch', `${all}/extra`).send({ description: 'x', ...extra })).status).toBe(200);
    expect((await rest.post(builds, { commit: 'HEAD', branch: 'main', ...extra })).status).toBe(201);
    for (const verb of ['archive', 'unarchive'])
      expect((await rest.post(`${all}/extra/${verb}`, extra)).status).toBe(200);
  });

  test.each(['null', '', '{}', ' \n'])('the body %j counts as empty', async (body) => {
    expect((await rest.put(`${builds}/1/rebuild`).type('json').send(body)).status).toBe(200);
  });

  test('the body of a GET request is ignored', async () => {
    for (const body of ['null', '{"name":"x"}', 'not json'])
      expect((await rest.get(all).type('json').send(body)).status).toBe(200);
  });
});

describe('filters in a query', () => {
  test.each(['state', 'branch', 'commit', 'creator', 'created_from', 'include_retried_jobs', 'meta_data[a]'])(
    'a blank filter is not read as a value: %s',
    async (name) => {
      const reply = await rest.get(`${builds}?${name}=`);
      expect(reply.status).toBe(200);
      if (name !== 'meta_data[a]') expect(reply.body).toHaveLength((await rest.get(builds)).body.length);
    },
  );

  test('brackets inside brackets are refused where a route reads the parameter, and ignored elsewhere', async () => {
    const refused = await rest.get(`${builds}?meta_data[a][b]=c`);
    expect([refused.status, refused.body.message]).toEqual([
      400,
      'The meta_data parameter must not have brackets inside brackets',
    ]);
    expect((await rest.get(`${builds}?state[a][b]=c`)).status).toBe(400);
    expect((await rest.get(`${builds}?unread[a][b]=c`)).status).toBe(200);
  });
});

describe('refusals of a pipeline and a build', () => {
  test('everything that a new pipeline lacks is named at once', async () => {
    const { db } = rest.world.services;
    const { defaultClusterId } = rest.world.organization;
    await db.updateTable('organizations').set({ defaultClusterId: null }).where('slug', '=', 'acme').execute();
    const named = async (body: object) =>
      (await rest.post(all, body)).body.errors.map(({ field }: { field: string }) => field).sort();
    expect(await named({})).toEqual(['cluster_id', 'configuration', 'name', 'repository']);
    expect(await named({ name: 'A', repository: 'https://git.example.com/a.git' })).toEqual([
      'cluster_id',
      'configuration',
    ]);
    await db.updateTable('organizations').set({ defaultClusterId }).where('slug', '=', 'acme').execute();
    expect(await named({ configuration: 5 })).toEqual(['configuration', 'name', 'repository']);
  });

  test('variables of a pipeline of YAML are refused, which would have no effect', async () => {
    const refused = await rest.request('patch', `${all}/app`).send({ env: { A: 'b' } });
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ field: 'env', code: expect.stringContaining('into the configuration') }],
    ]);
    expect((await rest.request('patch', `${all}/app`).send({ env: {} })).status).toBe(200);
  });

  test.each(['0', 0, '00', '1x', -1, 1.5])('no pull request has the number %j', async (number) => {
    const { status, body } = await rest.post(builds, { commit: 'HEAD', branch: 'main', pull_request_id: number });
    expect([status, body.errors]).toEqual([422, [{ field: 'pull_request_id', code: 'must be a pull request number' }]]);
  });
});
