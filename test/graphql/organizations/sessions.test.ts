import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { encodeNodeId } from '../../../src/domain/node-id.js';
import { limits } from '../../../src/domain/limits/limits.js';
import { createBuild } from '../../../src/operations/builds/create.js';
import { type Browser, ConsoleWorld } from '../../support/browser.js';

const start = `{ viewer {
  user { name avatar { url } }
  organizations(first: 10) { edges { node { slug permissions { pipelineCreate { allowed } organizationUpdate { allowed } } } } }
} }`;
const sessions = '{ viewer { sessions(first: 10) { count nodes { id uuid method current userAgent } } } }';
const tokens = `{ viewer { apiAccessTokens(first: 10) { nodes {
  id description scopes expiresAt lastAccessedAt organizations { slug }
} } } }`;
const createToken = `mutation ($input: APIAccessTokenCreateInput!) { apiAccessTokenCreate(input: $input) {
  tokenValue apiAccessToken { id description scopes organizations { slug } }
} }`;

describe('a person who is signed in, on GraphQL', () => {
  let on: ConsoleWorld;
  beforeAll(async () => {
    on = await ConsoleWorld.open();
    await on.setPassword(on.world.admin.id, 'p');
    await on.setPassword(on.world.outsider.id, 'p');
  });
  afterAll(() => on.close());

  const signedIn = async (userAgent = 'Story', email = on.world.admin.email): Promise<Browser> => {
    const browser = on.browser({ 'user-agent': userAgent });
    await browser.signIn(email, 'p');
    return browser;
  };
  const withToken = (token: string, query: string) => on.browser({ authorization: `Bearer ${token}` }).query(query, {});

  test('the first query of the console gets name, avatar, and the organizations with what may be done there', async () => {
    const { body } = await (await signedIn()).query(start);
    expect(body).toEqual({
      data: {
        viewer: {
          user: { name: 'Person 1', avatar: { url: expect.stringContaining('/avatars/') } },
          organizations: {
            edges: [
              {
                node: {
                  slug: 'acme',
                  permissions: { pipelineCreate: { allowed: true }, organizationUpdate: { allowed: true } },
                },
              },
            ],
          },
        },
      },
    });
  });

  test('sessions are listed, and ended one by one, all others, and everywhere', async () => {
    await on.world.services.db.deleteFrom('sessions').execute();
    const [laptop, phone, tablet] = [await signedIn('Laptop'), await signedIn('Phone'), await signedIn('Tablet')];
    const stranger = await signedIn('Stranger', on.world.outsider.email);
    const list = async (browser: Browser) => (await browser.query(sessions)).body.data?.viewer.sessions;
    const { count, nodes } = await list(laptop);
    expect(count).toBe(3);
    expect(
      nodes.map(({ userAgent, current, method }: Record<string, unknown>) => [userAgent, current, method]),
    ).toEqual([
      ['Tablet', false, 'PASSWORD'],
      ['Phone', false, 'PASSWORD'],
      ['Laptop', true, 'PASSWORD'],
    ]);
    const revoke = 'mutation ($id: ID!) { sessionRevoke(input: { id: $id }) { revokedSessionId } }';
    const foreign = await stranger.query(revoke, { id: nodes[0].id });
    expect(foreign.body.errors[0].extensions.code).toBe('NOT_FOUND');
    const ended = await laptop.query(revoke, { id: nodes[0].id });
    expect(ended.body.data.sessionRevoke.revokedSessionId).toBe(encodeNodeId('Session', nodes[0].uuid));
    expect((await tablet.query(sessions)).status).toBe(401);
    const others = await laptop.query(
      'mutation { sessionRevokeAll(input: { keepCurrent: true }) { revokedSessionIds } }',
    );
    expect(others.body.data.sessionRevokeAll.revokedSessionIds).toEqual([nodes[1].id]);
    expect((await phone.query(sessions)).status).toBe(401);
    expect((await list(laptop)).count).toBe(1);
    await laptop.query('mutation { sessionRevokeAll(input: {}) { revokedSessionIds } }');
    expect((await laptop.query(sessions)).status).toBe(401);
    expect((await list(stranger)).count).toBe(1);
    const audit = await on.world.services.db
      .selectFrom('audit_events')
      .select('operation')
      .where('operation', 'like', 'session.%')
      .execute();
    expect(audit).toHaveLength(3);
  });

  test('a user has a bounded number of sessions: a further one ends the one that was unused longest', async () => {
    const { db } = on.world.services;
    const first = await signedIn('First');
    const rows = await db.selectFrom('sessions').selectAll().execute();
    const own = rows.find(({ userAgent }) => userAgent === 'First')!;
    on.world.clock.advance(1);
    await db
      .insertInto('sessions')
      .values(
        Array.from({ length: limits.sessionsPerUser - 1 }, (_, index) => ({
          ...own,
          id: on.world.system().newId(),
          tokenHash: `hash ${index}`,
          lastUsedAt: on.world.clock.now(),
        })),
      )
      .execute();
    expect((await first.query(sessions)).status).toBe(200);
    const latest = await signedIn('Latest');
    expect((await latest.query(sessions)).body.data.viewer.sessions.count).toBe(limits.sessionsPerUser);
    expect((await first.query(sessions)).status).toBe(401);
  });

  test('an API token is made with scopes and organizations, shown once, listed and revoked', async () => {
    const browser = await signedIn();
    const organizationIds = [encodeNodeId('Organization', on.world.organization.id)];
    const input = { description: 'Deploys', scopes: ['READ_BUILDS', 'GRAPHQL'], organizationIds };
    const { data } = (await browser.query(createToken, { input })).body;
    const { tokenValue, apiAccessToken } = data.apiAccessTokenCreate;
    expect(apiAccessToken).toMatchObject({ scopes: ['READ_BUILDS', 'GRAPHQL'], organizations: [{ slug: 'acme' }] });
    expect((await withToken(tokenValue, '{ viewer { user { email } } }')).body.data.viewer.user.email).toBe(
      on.world.admin.email,
    );
    const listed = await browser.query(tokens);
    const [row] = listed.body.data.viewer.apiAccessTokens.nodes;
    expect(row).toMatchObject({ id: apiAccessToken.id, description: 'Deploys', organizations: [{ slug: 'acme' }] });
    expect(listed.text).not.toContain(tokenValue);
    const revoke = 'mutation ($id: ID!) { apiAccessTokenRevoke(input: { id: $id }) { revokedApiAccessTokenId } }';
    const stranger = await signedIn('Stranger', on.world.outsider.email);
    expect((await stranger.query(revoke, row)).body.errors[0].extensions.code).toBe('NOT_FOUND');
    expect((await browser.query(revoke, row)).body.data.apiAccessTokenRevoke.revokedApiAccessTokenId).toBe(row.id);
    expect((await withToken(tokenValue, '{ viewer { id } }')).status).toBe(401);
    expect((await browser.query(revoke, row)).body.errors[0].extensions.code).toBe('NOT_FOUND');
  });

  test.each([
    ['no description', { description: ' ', scopes: ['READ_BUILDS'] }, 'description'],
    ['no scope', { description: 'x', scopes: [] }, 'scopes'],
    ['a scope of other services', { description: 'x', scopes: ['READ_PACKAGES'] }, 'scopes.0'],
    ['no organization', { description: 'x', scopes: ['READ_BUILDS'], organizationIds: [] }, 'organizationIds'],
    [
      'an unknown organization',
      { description: 'x', scopes: ['READ_BUILDS'], organizationIds: ['x'] },
      'organizationIds',
    ],
    [
      'a time in the past',
      { description: 'x', scopes: ['READ_BUILDS'], expiresAt: '2020-01-01T00:00:00Z' },
      'expiresAt',
    ],
  ])('an API token with %s is refused beside its field', async (_what, input, field) => {
    const { body } = await (await signedIn()).query(createToken, { input });
    expect(body.errors[0].extensions).toMatchObject({ code: 'BAD_USER_INPUT', fields: [{ field }] });
  });

  test('an organization of somebody else is refused like one that does not exist', async () => {
    const other = await on.world.services.db
      .selectFrom('organizations')
      .select('id')
      .where('slug', '=', 'other')
      .executeTakeFirstOrThrow();
    const input = { description: 'x', scopes: ['READ_BUILDS'], organizationIds: [other.id] };
    const browser = await signedIn();
    const { body } = await browser.query(createToken, { input });
    expect(body.errors[0].extensions.fields[0].field).toBe('organizationIds');
  });

  test('an API token makes no tokens, and neither lists nor ends sessions', async () => {
    const { token } = on.world.admin;
    expect((await withToken(token, '{ viewer { session { id } } }')).body).toEqual({
      data: { viewer: { session: null } },
    });
    for (const document of [
      sessions,
      tokens,
      'mutation { sessionRevokeAll(input: {}) { revokedSessionIds } }',
      'mutation { apiAccessTokenCreate(input: { description: "x", scopes: [GRAPHQL] }) { tokenValue } }',
    ])
      expect((await withToken(token, document)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  describe('over WebSocket', () => {
    const connect = (headers: Record<string, string>) =>
      createClient({
        url: `${on.url.replace('http', 'ws')}/graphql`,
        retryAttempts: 0,
        webSocketImpl: class extends WebSocket {
          constructor(address: string, protocols: string) {
            super(address, protocols, { headers });
          }
        },
      });
    const updates = 'subscription { pipelines(id: "acme") { event { type } } }';

    test('the session counts on connections from our own pages, until it is ended', async () => {
      const browser = await signedIn();
      const { slug } = await on.world.pipeline('steps: [{ command: make }]');
      const client = connect({ cookie: browser.cookie, origin: on.url });
      const stream = client.iterate({ query: updates });
      expect((await stream.next()).value).toEqual({ data: { pipelines: { event: null } } });
      await browser.submit('/logout', {});
      let last: unknown;
      let over = false;
      const reading = (async () => {
        for await (const message of stream) last = message;
        over = true;
      })();
      // Rights are checked again with the first message that is a second later than the last check.
      const pipeline = { organization: 'acme', slug };
      const build = () => on.world.perform(on.world.admin, createBuild, { pipeline, commit: 'HEAD', branch: 'main' });
      await expect
        .poll(async () => (over ? over : (await build(), over)), { timeout: 20_000, interval: 200 })
        .toBe(true);
      await reading;
      expect(last).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
      await client.dispose();
    });

    test.each([
      ['of another site', 'https://evil.example'],
      ['that do not say where they come from', ''],
    ])('connections %s are closed although they carry the session', async (_what, origin) => {
      const { cookie } = await signedIn();
      const client = connect({ cookie, ...(origin === '' ? {} : { origin }) });
      await expect(client.iterate({ query: updates }).next()).rejects.toMatchObject({ code: 4403 });
    });
  });
});
