import { limits } from '../../../src/domain/limits/limits.js';
import { forgetSessions } from '../../../src/background/organizations/forget-sessions.js';
import { ask, callback, codeOf, OauthWorld, sentTo } from '../../support/oauth.js';
import { requestsTo } from '../../support/requests.js';

let world: OauthWorld;
let client: string;
beforeAll(async () => {
  world = await OauthWorld.open();
  client = await world.register();
}, 60_000);
beforeEach(async () => {
  await world.db.deleteFrom('sign_in_attempts').execute();
  await world.db.deleteFrom('oauth_grants').execute();
});
afterAll(() => world.close());

/** A code that the member has given, and what the program proves itself with. */
async function granted(changes: Record<string, string | null> = {}) {
  const asked = ask(client, changes);
  const reply = await world.answer(await world.signedIn(), asked.path);
  return { ...asked, code: codeOf(reply) };
}

const exchange = (fields: Record<string, string>) =>
  world.form('/oauth/token', {
    grant_type: 'authorization_code',
    client_id: client,
    redirect_uri: callback,
    ...fields,
  });

const asToken = (token: string) =>
  requestsTo(world.on.server).get('/v2/access-token').set('Authorization', `Bearer ${token}`);

test('the token is an API token of the person, which they see and revoke where they have the others', async () => {
  const { code, verifier } = await granted();
  const { status, body, headers } = await exchange({ code, code_verifier: verifier });
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^bkoa_/),
    token_type: 'Bearer',
    expires_in: limits.oauthTokenDays * 86_400,
    scope: 'read_builds read_user',
  });
  const mine = await asToken(body.access_token);
  expect(mine.body).toMatchObject({ description: 'A program (OAuth)', scopes: ['read_builds', 'read_user'] });
  const browser = await world.signedIn();
  const own = await browser.query(
    '{ viewer { apiAccessTokens(first: 5) { edges { node { id description expiresAt organizations { slug } } } } } }',
  );
  const [{ node }] = own.body.data.viewer.apiAccessTokens.edges;
  expect(node).toMatchObject({ description: 'A program (OAuth)', organizations: [{ slug: 'acme' }] });
  const left = (new Date(node.expiresAt).getTime() - world.on.world.services.clock.now().getTime()) / 86_400_000;
  expect(Math.round(left)).toBe(limits.oauthTokenDays);
  await browser.query('mutation($id: ID!) { apiAccessTokenRevoke(input: { id: $id }) { revokedApiAccessTokenId } }', {
    id: node.id,
  });
  expect((await asToken(body.access_token)).status).toBe(401);
  const audit = await world.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').limit(3).execute();
  expect(audit.map(({ operation, actorId, subjectName }) => [operation, actorId, subjectName])).toEqual([
    ['access-token.revoke-own', world.on.world.member.id, 'A program (OAuth)'],
    ['oauth-grant.exchange', world.on.world.member.id, 'A program (OAuth)'],
    ['oauth-grant.approve', world.on.world.member.id, 'A program'],
  ]);
});

test.each<[string, Record<string, string>, string]>([
  ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
  ['a verifier that is none', { code_verifier: '' }, 'invalid_request'],
  ['another address', { redirect_uri: 'http://127.0.0.1:7778/callback' }, 'invalid_grant'],
  ['another program', { client_id: 'another' }, 'invalid_grant'],
  ['a program that is not known', { client_id: '01900000-0000-7000-8000-000000000000' }, 'invalid_client'],
  ['another resource', { resource: 'RESOURCE/v2' }, 'invalid_target'],
  ['a resource elsewhere', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ['no code', { code: '' }, 'invalid_request'],
  ['another kind of grant', { grant_type: 'password' }, 'unsupported_grant_type'],
])('no token for %s', async (_what, changes, error) => {
  const { code, verifier } = await granted({ resource: `${world.on.url}/mcp` });
  const fields: Record<string, string> = { code, code_verifier: verifier, ...changes };
  if (fields['client_id'] === 'another') fields['client_id'] = await world.register();
  const resource = changes['resource']?.replace('RESOURCE', world.on.url);
  if (resource !== undefined) fields['resource'] = resource;
  const { body, status } = await exchange(fields);
  expect([status >= 400 && status < 500, body]).toEqual([
    true,
    { error, error_description: body.message, message: expect.stringMatching(/./) },
  ]);
  // Whoever has had a code in hand has used it up.
  const again = await exchange({ code, code_verifier: verifier });
  expect(again.status).toBe(error === 'invalid_grant' || resource?.startsWith(world.on.url) ? 400 : 200);
});

test('a code that is over gets nothing, and one that is shown again ends the token that it gave', async () => {
  const late = await granted();
  world.on.world.clock.advance(limits.oauthCodeSeconds);
  expect((await exchange({ code: late.code, code_verifier: late.verifier })).body.error).toBe('invalid_grant');
  const { code, verifier } = await granted();
  const both = await Promise.all([1, 2, 3].map(() => exchange({ code, code_verifier: verifier })));
  const tokens = both.flatMap(({ status, body }) => (status === 200 ? [body.access_token] : []));
  expect(tokens).toHaveLength(1);
  expect((await asToken(tokens[0])).status).toBe(401);
});

describe('who is sent where', () => {
  const web = 'https://models.example/callback?a=b';
  const places = [callback, web, 'cursor://app/callback', 'com.example.app:/callback', 'http://[::1]/x'];
  let asker: string;
  beforeAll(async () => {
    asker = await world.register(places);
  });

  test.each<[string, string, string | null]>([
    ['a port of its own each time', 'http://127.0.0.1:4711/callback', 'http://127.0.0.1:4711/callback?code'],
    ['a port of its own each time, IPv6', 'http://[::1]:99/x', 'http://[::1]:99/x?code'],
    ['a site, with its query', web, 'https://models.example/callback?a=b&code'],
    ['an app', 'com.example.app:/callback', 'com.example.app:/callback?code'],
    ['an editor', 'cursor://app/callback', 'cursor://app/callback?code'],
    ['another path', 'http://127.0.0.1:7777/other', null],
    ['another name of the machine', 'http://localhost:7777/callback', null],
    ['another port of a site', 'https://models.example:444/callback?a=b', null],
    ['another query', 'https://models.example/callback', null],
    ['a path that is longer', 'https://models.example/callback/../callback?a=b', null],
    ['a name of a user', 'https://models.example@evil.example/callback?a=b', null],
    ['a name of a user on this machine', 'http://127.0.0.1:7777@evil.example/callback', null],
    ['a longer host', 'https://models.example.evil.example/callback?a=b', null],
    ['a longer loopback host', 'http://127.0.0.1.evil.example:7777/callback', null],
    ['a backslash', 'http://127.0.0.1:7777\\@evil.example/callback', null],
    ['a line break', 'http://127.0.0.1:7777/call\nback', null],
    ['a fragment', `${web}#x`, null],
    ['a script', 'javascript:alert(1)', null],
    ['nothing', '', null],
  ])('%s: %s', async (_what, redirectUri, target) => {
    const { path } = ask(asker, { redirect_uri: redirectUri });
    const browser = await world.signedIn();
    const page = await browser.get(path);
    const reply = await world.answer(browser, path);
    if (target === null) {
      expect([page.status, page.headers['location'], reply.status, reply.headers['location']]).toEqual([
        400,
        undefined,
        400,
        undefined,
      ]);
      expect(page.text).toContain('an address that it has not registered');
      return;
    }
    expect([page.status, reply.status]).toEqual([200, 303]);
    expect(reply.headers['location']?.startsWith(`${target}=`)).toBe(true);
    // Chrome follows the answer to a form only where the page allows it.
    const url = new URL(target);
    const source = /^https?:\/\/[^[]/.test(target) ? url.origin : url.protocol;
    expect(page.headers['content-security-policy']).toContain(`form-action 'self' ${source}; frame-ancestors 'none'`);
    expect(page.headers['x-frame-options']).toBe('DENY');
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'http://example.com/callback',
    'https://user@example.com/',
    'https://a.example;b/',
    "https://a.example'/",
    'https://example.com/#x',
    'ms-msdt:/x',
    'file:///etc/passwd',
    'ftp://example.com',
    'no address',
    `https://example.com/${'x'.repeat(limits.oauthRedirectUriLength)}`,
  ])('no program is registered that has people sent to %s', async (redirectUri) => {
    const { status, body } = await world.post('/oauth/register', { redirect_uris: [redirectUri] });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  test.each<[string, Record<string, string | null>, string]>([
    ['no proof key', { code_challenge: null }, 'invalid_request'],
    ['a plain proof key', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another kind of answer', { response_type: 'token' }, 'unsupported_response_type'],
    ['scopes that there are not', { scope: 'all' }, 'invalid_scope'],
    ['a resource elsewhere', { resource: 'https://elsewhere.example' }, 'invalid_target'],
  ])(
    '%s is told to a program on this machine, and to the person alone where it would lead elsewhere',
    async (_what, changes, error) => {
      const near = await world.on.browser().get(ask(asker, changes).path);
      const { searchParams, origin } = sentTo(near);
      expect([origin, searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')]).toEqual([
        'http://127.0.0.1:7777',
        error,
        'a-state',
        world.on.url,
      ]);
      const far = await world.on.browser().get(ask(asker, { redirect_uri: web, ...changes }).path);
      expect([far.status, far.headers['location']]).toEqual([400, undefined]);
    },
  );
});

test('nobody is let in by a page of another site, by a program, in the name of somebody else, or without a session', async () => {
  const { path } = ask(client);
  const browser = await world.signedIn();
  const forms: [Record<string, string>, Record<string, string>][] = [
    [{ 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, {}],
    [{ 'sec-fetch-site': 'same-site' }, {}],
    [{ origin: 'null' }, {}],
    [{}, { user: world.on.world.admin.id }],
    [{}, { user: '' }],
  ];
  for (const [headers, changes] of forms) {
    const form = { user: world.on.world.member.id, decision: 'allow', scope: 'read_user', ...changes };
    const reply = await browser.submit(path, { organization: world.on.world.organization.id, ...form }, headers);
    expect([headers, reply.status, reply.headers['location']]).toEqual([headers, 403, undefined]);
  }
  const program = await browser.send('post', path, { 'content-type': 'application/x-www-form-urlencoded' }, 'user=x');
  expect(program.status).toBe(403);
  const stranger = await world.on.browser().get(path);
  expect(stranger.status).toBe(302);
  // From the sign-in page the person comes back to the whole request.
  const signIn = stranger.headers['location'] as string;
  expect(new URL(signIn, world.on.url).searchParams.get('return_to')).toBe(path);
  expect((await world.answer(world.on.browser(), path)).headers['location']).toBe(signIn);
  expect(await world.db.selectFrom('oauth_grants').select('id').execute()).toEqual([]);
});

test('the page says who asks, where and for what; an answer that lacks something is asked for again; a refusal is told', async () => {
  const name = '<b>Bank\u202e</b>';
  const asker = await world.register(['https://models.example/callback'], name);
  const { path } = ask(asker, { redirect_uri: 'https://models.example/callback', organization: 'acme' });
  const browser = await world.signedIn();
  const page = await browser.get(path);
  expect(page.text).toContain('<strong>&lt;b&gt;Bank &lt;/b&gt;</strong> asks to use Slipway in your name.');
  expect(page.text).toContain('It chose this name itself');
  expect(page.text).toContain('From here you go to <code>models.example</code>.');
  expect(page.text).toMatch(/name="organization" value="[^"]+" checked/);
  expect(page.text).toMatch(/name="scope" value="write_builds" checked> <span>builds/);
  expect(page.text).not.toContain('<script');
  const without = await world.answer(browser, path, { scope: ['read_user'], organization: [] });
  expect([without.status, without.text.includes('Please choose an organization.')]).toEqual([422, true]);
  expect(without.text).toMatch(/value="read_user" checked/);
  expect(without.text).not.toMatch(/value="write_builds" checked/);
  // What was not asked for is not granted, whatever the form says.
  const more = await world.answer(browser, path, { scope: ['write_teams'] });
  expect([more.status, more.text.includes('Please choose something')]).toEqual([422, true]);
  const foreign = await world.answer(browser, path, { organization: '01900000-0000-7000-8000-000000000000' });
  expect([foreign.status, foreign.text.includes('you are no member of')]).toEqual([422, true]);
  const denied = sentTo(await world.answer(browser, path, { decision: 'deny' }));
  expect(denied.host).toBe('models.example');
  expect(Object.fromEntries(denied.searchParams)).toMatchObject({ error: 'access_denied', state: 'a-state' });
});

test('an organization where only administrators make tokens is not offered to members', async () => {
  const { id } = world.on.world.organization;
  const restrict = (restrictUserApiTokenCreation: boolean) =>
    world.db.updateTable('organizations').set({ restrictUserApiTokenCreation }).where('id', '=', id).execute();
  await restrict(true);
  const browser = await world.signedIn();
  const { path } = ask(client);
  expect((await browser.get(path)).text).toMatch(/name="organization" value="[^"]+" disabled/);
  const reply = await world.answer(browser, path);
  expect([reply.status, reply.text.includes('where only administrators make API tokens')]).toEqual([422, true]);
  await restrict(false);
});

test('registrations are bounded: by network, in all, in size and in time', async () => {
  const many = limits.oauthClients;
  const soon = new Date(world.on.world.services.clock.now().getTime() + 3_600_000);
  await world.db
    .updateTable('oauth_clients')
    .set({ expiresAt: new Date(soon.getTime() + 86_400_000 * 9) })
    .execute();
  const rows = Array.from({ length: many - 10 }, (_, index) => ({
    id: `01900000-0000-7000-8000-${index.toString().padStart(12, '0')}`,
    name: 'x',
    redirectUris: [callback],
    createdAt: soon,
    expiresAt: new Date(soon.getTime() + index),
  }));
  for (let from = 0; from < rows.length; from += 1_000)
    await world.db
      .insertInto('oauth_clients')
      .values(rows.slice(from, from + 1_000))
      .execute();
  const count = async () => (await world.db.selectFrom('oauth_clients').select('id').execute()).map(({ id }) => id);
  for (let missing = many - (await count()).length; missing > 0; missing -= 1) await world.register();
  expect(await count()).toHaveLength(many);
  await world.register();
  const ids = await count();
  expect([ids.length, ids.includes(rows[0]?.id ?? ''), ids.includes(rows[1]?.id ?? '')]).toEqual([many, false, true]);
  await world.db
    .updateTable('oauth_clients')
    .set({ expiresAt: new Date(soon.getTime() + 86_400_000 * 9) })
    .execute();
  expect((await world.post('/oauth/register', { redirect_uris: [callback] })).status).toBe(503);
  expect((await world.post('/oauth/register', { client_name: 'x'.repeat(limits.oauthBodyBytes) })).status).toBe(413);
  expect((await world.form('/oauth/register', { a: 'b' })).status).toBe(415);
  expect((await world.post('/oauth/register', ['x'])).body.error).toBe('invalid_redirect_uri');
  await world.db.updateTable('sign_in_attempts').set({ points: limits.oauthBeginningsPerAddress }).execute();
  const braked = await world.post('/oauth/register', { redirect_uris: [callback] });
  expect([braked.status, Number(braked.headers['retry-after']) > 500]).toEqual([429, true]);
  await world.db.updateTable('oauth_clients').set({ expiresAt: soon }).execute();
  world.on.world.clock.advance(3_601);
  await forgetSessions(world.on.world.services);
  expect(await count()).toEqual([]);
  await world.db.deleteFrom('sign_in_attempts').execute();
  client = await world.register();
});

test('a program that is let in is remembered; one that nobody lets in is forgotten after a day', async () => {
  const [used, unused] = [await world.register(), await world.register()];
  await world.answer(await world.signedIn(), ask(used).path);
  world.on.world.clock.advance(limits.oauthNewClientHours * 3_600 + 1);
  const browser = await world.signedIn();
  expect((await browser.get(ask(used).path)).status).toBe(200);
  expect((await browser.get(ask(unused).path)).status).toBe(400);
});

test('what a program or a person shows is in no log and in no row', async () => {
  const { log } = world.on.world.services;
  const lines: string[] = [];
  const spies = (['debug', 'info', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(log, level).mockImplementation((...parts: unknown[]) => void lines.push(JSON.stringify(parts))),
  );
  client = await world.register();
  const { code, verifier } = await granted();
  const { body } = await exchange({ code, code_verifier: verifier });
  const fields = { client_id: '5214b230f06b48938ab5', scope: 'read_user' };
  const { body: device } = await world.form('/oauth/device_authorization', fields);
  const browser = await world.signedIn();
  await browser.get(`/oauth/device?user_code=${device.user_code}`);
  await world.answer(browser, '/oauth/device', { user_code: device.user_code, scope: 'read_user' });
  await exchange({ code, code_verifier: verifier });
  await exchange({ code: 'another', code_verifier: verifier });
  for (const spy of spies) spy.mockRestore();
  expect(lines.join('\n')).toContain('/oauth/token');
  const rows = await Promise.all(
    (['api_tokens', 'oauth_clients', 'oauth_grants', 'audit_events', 'sessions'] as const).map((table) =>
      world.db.selectFrom(table).selectAll().execute(),
    ),
  );
  const kept = lines.join('\n') + JSON.stringify(rows);
  const shown = [
    code,
    verifier,
    body.access_token,
    device.device_code,
    device.user_code,
    device.user_code.replace('-', ''),
  ];
  expect(shown.every((secret) => typeof secret === 'string' && secret.length >= 8)).toBe(true);
  expect(shown.filter((secret) => kept.includes(secret))).toEqual([]);
});

test('the metadata say what there is, for programs that know only the host', async () => {
  const read = async (path: string) => (await requestsTo(world.on.server).get(`/.well-known/${path}`)).body;
  const here = world.on.url;
  expect(await read('oauth-protected-resource')).toMatchObject({ resource: here, authorization_servers: [here] });
  expect(await read('oauth-protected-resource/mcp')).toMatchObject({ resource: `${here}/mcp` });
  expect(await read('oauth-authorization-server')).toMatchObject({
    issuer: here,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  });
});
