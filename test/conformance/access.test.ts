import { canonicalScope, type Scope } from '../../src/domain/organizations/scopes.js';
import { routes } from '../../src/rest/routes.js';
import { everyKind, RestWorld } from '../rest/rest-world.js';
import type { Person } from '../support/world.js';

const pipeline = '/organizations/acme/pipelines/app';
const build = `${pipeline}/builds/1`;
let rest: RestWorld;
let job: string;
beforeAll(async () => {
  rest = await RestWorld.create();
  await rest.world.pipeline(everyKind, { slug: 'app' });
  job = `${build}/jobs/${(await rest.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main' })).body.jobs[0].id}`;
});
afterAll(() => rest.close());

const withScopes = (...scopes: Scope[]) =>
  rest.world.personWithToken(rest.world.admin.id, rest.world.admin.email, { scopes });

describe('authentication', () => {
  test('a Bearer token authenticates, and no other scheme does [api-v2:fdcmme]', async () => {
    expect((await rest.get(pipeline)).status).toBe(200);
    for (const authorization of [
      `Basic ${rest.world.admin.token}`,
      rest.world.admin.token,
      `Token ${rest.world.admin.token}`,
    ]) {
      expect((await rest.request('get', pipeline, null).set('Authorization', authorization)).status).toBe(401);
    }
    expect((await rest.request('get', `${pipeline}?access_token=${rest.world.admin.token}`, null)).status).toBe(401);
  });

  test('a missing and an invalid token get the same 401 [api-v2:mliokk,jghoni]', async () => {
    const [missing, invalid] = [
      await rest.get(pipeline, null),
      await rest.request('get', pipeline, null).set('Authorization', 'Bearer no-such-token'),
    ];
    expect([missing.status, invalid.status, invalid.text]).toEqual([401, 401, missing.text]);
    expect(missing.headers['www-authenticate']).toBe('Bearer');
  });

  test('a token can be revoked by its owner and may have an expiry date [api-v2:pbjdbi]', async () => {
    const person = await withScopes('read_pipelines');
    expect((await rest.get('/access-token', person)).body).toMatchObject({
      scopes: ['read_pipelines'],
      expires_at: null,
    });
    await rest.request('delete', '/access-token', person);
    expect((await rest.get(pipeline, person)).status).toBe(401);
    const ended = await withScopes('read_pipelines');
    const { uuid } = (await rest.get('/access-token', ended)).body;
    await rest.world.services.db
      .updateTable('api_tokens')
      .set({ expiresAt: rest.world.clock.now() })
      .where('id', '=', uuid)
      .execute();
    expect((await rest.get(pipeline, ended)).status).toBe(401);
  });
});

describe('token scopes', () => {
  type Call = ['get' | 'post' | 'put' | 'patch' | 'delete', () => string, object?];
  const byScope: [string, Scope, Call[]][] = [
    [
      'gmmmoj',
      'read_pipelines',
      [
        ['get', () => '/organizations/acme/pipelines'],
        ['get', () => pipeline],
      ],
    ],
    [
      'djojne',
      'write_pipelines',
      [
        ['post', () => '/organizations/acme/pipelines', {}],
        ['patch', () => pipeline, {}],
        ['post', () => `${pipeline}/webhook`],
        ['post', () => `${pipeline}/archive`],
        ['post', () => `${pipeline}/unarchive`],
        ['delete', () => '/organizations/acme/pipelines/none'],
      ],
    ],
    [
      'eebahi',
      'read_builds',
      [
        ['get', () => '/builds'],
        ['get', () => '/organizations/acme/builds'],
        ['get', () => `${pipeline}/builds`],
        ['get', () => build],
        ['get', () => `${build}/annotations`],
      ],
    ],
    [
      'gdpeho',
      'write_builds',
      [
        ['post', () => `${pipeline}/builds`, {}],
        ['put', () => `${build}/cancel`],
        ['put', () => `${pipeline}/builds/99/rebuild`],
        ['put', () => `${job}/retry`],
        ['put', () => `${job}/unblock`],
        ['post', () => `${build}/annotations`, {}],
      ],
    ],
    ['jomfkj', 'read_build_logs', [['get', () => `${job}/log`]]],
    ['odfbek', 'write_build_logs', [['delete', () => `${build}/jobs/none/log`]]],
    ['amhgff', 'read_job_env', [['get', () => `${job}/env`]]],
  ];
  test.each(byScope)('[api-v2:%s] %s is what its endpoints need, and all they need', async (_line, scope, calls) => {
    const [with_, without] = [
      await withScopes(scope),
      await withScopes(
        ...routes.flatMap(({ operation }) =>
          operation.scope === null || operation.scope === scope ? [] : [operation.scope],
        ),
      ),
    ];
    for (const [method, path, body] of calls) {
      const allowed = await rest.request(method, path(), with_).send(body);
      expect([method, path(), allowed.status === 403]).toEqual([method, path(), false]);
      const refused = await rest.request(method, path(), without).send(body);
      expect([method, path(), refused.status, refused.body.message]).toEqual([
        method,
        path(),
        403,
        `Your access token doesn't have the ${scope} scope`,
      ]);
    }
  });

  test('view_teams is accepted as an alias of read_teams [api-v2:oefkna]', () =>
    expect(canonicalScope('view_teams')).toBe('read_teams'));

  test('the API description names the scope and the success status of each endpoint [api-v2:hiacji]', async () => {
    const { body } = await rest.get('/openapi.json', null);
    for (const { method, path, operation } of routes) {
      const described = body.paths[`/v2${path}`][method];
      expect(described['x-scope'] ?? null).toBe(operation.scope);
      expect(Object.keys(described.responses).some((status) => /^20[0-4]$|^302$/.test(status))).toBe(true);
    }
  });
});

describe('visibility', () => {
  test('the list of all builds covers the organizations that the token may access [api-v2:fihkkn]', async () => {
    const { world } = rest;
    const of = async (person: Person) => (await rest.get('/builds', person)).body.length;
    expect(
      await of(
        await world.personWithToken(world.admin.id, world.admin.email, { tokenOrganizations: [world.organization.id] }),
      ),
    ).toBe(1);
    expect(await of(await world.personWithToken(world.admin.id, world.admin.email, { tokenOrganizations: [] }))).toBe(
      0,
    );
  });

  test('webhook_url is shown to callers who may edit the pipeline and is empty for others, in pipelines, lists and builds [api-v2:bdgmna,bbkiob,hpdccl]', async () => {
    const { world } = rest;
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: true })
      .where('id', '=', world.organization.id)
      .execute();
    await world.services.db.updateTable('pipelines').set({ visibility: 'public' }).execute();
    const urls = async (person: Person) => [
      (await rest.get(pipeline, person)).body.provider.webhook_url,
      (await rest.get(`${pipeline}/builds`, person)).body[0].pipeline.provider.webhook_url,
      (await rest.get(build, person)).body.pipeline.provider.webhook_url,
    ];
    expect(await urls(world.member)).toEqual(['', '', '']);
    expect(new Set(await urls(world.admin))).toEqual(
      new Set([expect.stringMatching(/^http:\/\/slipway\.test\/webhooks\/deliver\//)]),
    );
    await world.services.db.updateTable('pipelines').set({ visibility: 'private' }).execute();
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: false })
      .where('id', '=', world.organization.id)
      .execute();
  });

  test('a caller who may see but not change a resource is answered 403 [api-v2:odpodl,nogeim,kglbjg]', async () => {
    const { world } = rest;
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: true })
      .where('id', '=', world.organization.id)
      .execute();
    await world.services.db.updateTable('pipelines').set({ visibility: 'public' }).execute();
    for (const verb of ['archive', 'unarchive']) {
      const reply = await rest.request('post', `${pipeline}/${verb}`, world.member);
      expect([reply.status, reply.body]).toEqual([403, { message: 'Forbidden' }]);
    }
    await world.services.db.updateTable('pipelines').set({ visibility: 'private' }).execute();
    await world.services.db
      .updateTable('organizations')
      .set({ teamsEnabled: false })
      .where('id', '=', world.organization.id)
      .execute();
  });

  test('unknown and hidden resources are answered by the same 404, byte for byte [api-v2:jghoni]', async () => {
    const [hidden, unknown] = [
      await rest.get(pipeline, rest.world.outsider),
      await rest.get('/organizations/acme/pipelines/none', rest.world.outsider),
    ];
    expect([hidden.status, hidden.text]).toEqual([404, unknown.text]);
  });
});

describe('REST requests and replies', () => {
  test("every REST path starts with /v2, and a team's suites have two paths [api-v2:indcbo,imajhi]", async () => {
    expect(routes.length).toBeGreaterThan(20);
    const { body } = await rest.get('/openapi.json', null);
    expect(Object.keys(body.paths).filter((path) => !path.startsWith('/v2/'))).toEqual([]);
    expect(body.components.schemas.PipelineCreateRequest.properties).toMatchObject({ teams: {}, team_uuids: {} });
  });

  test('REST requests and replies are JSON [api-v2:ilaohb]', async () => {
    const reply = await rest.post(`${pipeline}/builds`, { commit: 'HEAD', branch: 'main', message: 'Grüße' });
    expect([reply.status, reply.body.message, reply.headers['content-type']]).toEqual([
      201,
      'Grüße',
      'application/json; charset=utf-8',
    ]);
    expect((await rest.request('post', `${pipeline}/builds`).type('application/json').send('{"commit":')).status).toBe(
      400,
    );
  });

  test('lists are paged by page and per_page with 30 items by default and at most 100, and request bodies are limited [api-v2:kfpdaj,leoepl,bnaoaa]', async () => {
    for (let made = 0; made < 31; made += 1) await rest.world.pipeline('steps: [wait]');
    const sizes = async (query: string) => (await rest.get(`/organizations/acme/pipelines${query}`)).body.length;
    expect([
      await sizes(''),
      await sizes('?per_page=2'),
      await sizes('?per_page=1000'),
      await sizes('?page=2'),
      await sizes('?page=99'),
    ]).toEqual([30, 2, 32, 2, 0]);
    expect(
      (await rest.post(`${pipeline}/builds`, JSON.stringify({ message: 'x'.repeat(9 * 1024 * 1024) }))).status,
    ).toBe(413);
  });

  test('every refusal is a JSON object with a message [api-v2:ighgpn]', async () => {
    const replies = [
      await rest.get('/nothing'),
      await rest.get(pipeline, null),
      await rest.get('/organizations/none'),
      await rest.request('put', pipeline),
      await rest.get('/builds?page=x'),
      await rest.post(`${pipeline}/builds`, {}),
      await rest.request('get', pipeline, await withScopes()),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 401, 404, 405, 400, 422, 403]);
    for (const { body } of replies) expect(typeof body.message).toBe('string');
  });
});
