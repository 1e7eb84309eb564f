import { limits } from '../../../src/domain/limits/limits.js';
import type { Data } from '../../support/both-surfaces.js';
import type { Browser } from '../../support/browser.js';
import { ask, codeOf, OauthWorld } from '../../support/oauth.js';
import { requestsTo } from '../../support/requests.js';

/** The `client_id` of the command line, which never registers. */
const commandLine = '5214b230f06b48938ab5';
const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

let world: OauthWorld;
beforeAll(async () => {
  world = await OauthWorld.open();
}, 60_000);
beforeEach(async () => {
  await world.db.deleteFrom('sign_in_attempts').execute();
  await world.db.deleteFrom('oauth_grants').execute();
});
afterAll(() => world.close());

const begin = async (fields: Record<string, string> = {}): Promise<Data> =>
  (
    await world.form('/oauth/device_authorization', {
      client_id: commandLine,
      scope: 'read_builds read_user write_builds read_portals',
      ...fields,
    })
  ).body;

const poll = async (deviceCode: string, client = commandLine): Promise<Data> =>
  (await world.form('/oauth/token', { grant_type: grantType, client_id: client, device_code: deviceCode })).body;

const wait = (seconds: number) => world.on.world.clock.advance(seconds);

const type = (browser: Browser, code: string) => browser.submit('/oauth/device', { user_code: code });

const answer = (browser: Browser, code: string, fields: Record<string, string | string[]> = {}) =>
  world.answer(browser, '/oauth/device', { user_code: code, ...fields });

test('the command line waits for somebody who types its code, and gets their token', async () => {
  const codes = await begin();
  expect(codes).toEqual({
    device_code: expect.stringMatching(/^[0-9a-f]{64}$/),
    user_code: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verification_uri: `${world.on.url}/oauth/device`,
    verification_uri_complete: `${world.on.url}/oauth/device?user_code=${codes.user_code}`,
    expires_in: 600,
    interval: 5,
  });
  expect((await poll(codes.device_code)).error).toBe('authorization_pending');
  const browser = await world.signedIn();
  const address = new URL(codes.verification_uri_complete);
  const form = await browser.get(address.pathname + address.search);
  expect(form.text).toContain(`value="${codes.user_code}"`);
  // Typed as people do.
  const consent = await type(browser, ` ${codes.user_code.toLowerCase().replace('-', ' ')}`);
  expect(consent.text).toContain('<strong>bk, the Buildkite command line</strong>');
  expect(consent.text).not.toContain('It chose this name itself');
  expect(consent.text).toMatch(/value="write_builds" checked/);
  const lacking = await answer(browser, codes.user_code, { organization: [] });
  expect([lacking.status, lacking.text.includes('Please choose an organization.')]).toEqual([422, true]);
  const done = await answer(browser, codes.user_code);
  expect([done.status, done.text.includes('has access now')]).toEqual([200, true]);
  wait(5);
  const token = await poll(codes.device_code);
  expect(token).toEqual({
    access_token: expect.stringMatching(/^bkoa_/),
    token_type: 'Bearer',
    expires_in: limits.oauthTokenDays * 86_400,
    scope: 'read_builds read_user',
  });
  const user = await requestsTo(world.on.server).get('/v2/user').set('Authorization', `Bearer ${token.access_token}`);
  expect(user.body.email).toBe(world.on.world.member.email);
  // Neither of the codes counts again.
  expect((await poll(codes.device_code)).error).toBe('invalid_grant');
  expect((await answer(browser, codes.user_code)).status).toBe(404);
});

test('a device that asks too often is told to slow down, by five seconds each time', async () => {
  const { device_code: code } = await begin();
  const errors = [];
  for (const seconds of [0, 5, 1, 9, 15, 14]) {
    wait(seconds);
    const { error, message } = await poll(code);
    errors.push([error, /\d+/.exec(message)?.[0] ?? null]);
  }
  expect(errors).toEqual([
    ['authorization_pending', null],
    ['authorization_pending', null],
    ['slow_down', '10'],
    ['slow_down', '15'],
    ['authorization_pending', null],
    ['slow_down', '20'],
  ]);
});

test('a refusal, the end of the time and the code of another program are told', async () => {
  const browser = await world.signedIn();
  const first = await begin();
  expect((await answer(browser, first.user_code, { decision: 'deny' })).text).toContain('got no access');
  expect((await poll(first.device_code)).error).toBe('access_denied');
  const second = await begin();
  expect((await poll(second.device_code, await world.register())).error).toBe('invalid_grant');
  expect((await poll('x'.repeat(64))).error).toBe('invalid_grant');
  wait(limits.oauthDeviceMinutes * 60);
  expect((await poll(second.device_code)).error).toBe('expired_token');
  expect((await type(await world.signedIn(), second.user_code)).status).toBe(404);
  expect((await begin({ client_id: 'nobody' })).error).toBe('invalid_client');
  expect((await begin({ scope: 'everything' })).error).toBe('invalid_scope');
});

test('codes are typed by people who are signed in, on our own page, and not guessed', async () => {
  const { user_code: code } = await begin();
  expect((await world.on.browser().get('/oauth/device')).headers['location']).toBe(
    '/login?return_to=%2Foauth%2Fdevice',
  );
  expect((await type(world.on.browser(), code)).status).toBe(302);
  const browser = await world.signedIn();
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  expect((await browser.submit('/oauth/device', { user_code: code }, foreign)).status).toBe(403);
  expect((await answer(browser, code, { user: world.on.world.admin.id })).status).toBe(403);
  // More than was asked for is not granted.
  expect((await answer(browser, code, { scope: ['write_teams'] })).status).toBe(422);
  for (const wrong of ['BBBB-BBBB', 'AAAA-AAAA', '', '<b>'])
    expect((await type(browser, wrong)).text).toContain('No program waits with this code');
  await world.db.updateTable('sign_in_attempts').set({ points: limits.oauthUserCodesPerUser }).execute();
  expect((await type(browser, code)).status).toBe(429);
});

test('the command line signs in by a browser too, at whatever port it listens on', async () => {
  const browser = await world.signedIn();
  const redirect = 'http://127.0.0.1:50123/callback';
  const asked = ask(commandLine, { redirect_uri: redirect, organization: 'acme' });
  expect((await browser.get(asked.path)).text).toMatch(/name="organization" value="[^"]+" checked/);
  const code = codeOf(await world.answer(browser, asked.path));
  const fields = { client_id: commandLine, redirect_uri: redirect, code, code_verifier: asked.verifier };
  const { body } = await world.form('/oauth/token', { grant_type: 'authorization_code', ...fields });
  expect(body.scope).toBe('read_builds read_user');
  const elsewhere = ask(commandLine, { redirect_uri: 'https://evil.example/callback' });
  expect((await browser.get(elsewhere.path)).status).toBe(400);
});

test('one person lets in a bounded number of programs in ten minutes', async () => {
  const { user_code: code } = await begin();
  const { member, organization, services } = world.on.world;
  const now = services.clock.now();
  await world.db
    .insertInto('oauth_grants')
    .values(
      Array.from({ length: limits.oauthGrantsPerUser }, (_, index) => ({
        id: `01900000-0000-7000-8000-${index.toString().padStart(12, '0')}`,
        kind: 'code' as const,
        state: 'used' as const,
        client: commandLine,
        clientName: 'x',
        secretHash: `x${index}`,
        userId: member.id,
        organizations: [organization.id],
        pollSeconds: 0,
        createdAt: now,
        expiresAt: now,
      })),
    )
    .execute();
  expect((await answer(await world.signedIn(), code)).status).toBe(429);
});
