import { trustProxies } from '../../src/http/client-address.js';
import { createSignInAddress } from '../../src/operations/organizations/sign-in/create-address.js';
import { perform } from '../../src/core/operation.js';
import { limits } from '../../src/domain/limits/limits.js';
import { forgetSessions } from '../../src/background/organizations/forget-sessions.js';
import { writeCredentialUses } from '../../src/background/organizations/write-credential-uses.js';
import { type Browser, ConsoleWorld } from '../support/browser.js';

const viewer = '{ viewer { user { email } session { method ipAddress userAgent lastUsedAt } } }';
const day = 86_400;

describe('signing in to the console', () => {
  let on: ConsoleWorld;
  beforeAll(async () => {
    on = await ConsoleWorld.open();
    await on.setPassword(on.world.member.id, 'correct horse');
  });
  beforeEach(() => on.world.services.db.deleteFrom('sign_in_attempts').execute());
  afterAll(() => on.close());

  const signedIn = async (headers: Record<string, string> = {}): Promise<Browser> => {
    const browser = on.browser(headers);
    expect((await browser.signIn(on.world.member.email, 'correct horse')).status).toBe(303);
    return browser;
  };
  const sessions = () => on.world.services.db.selectFrom('sessions').selectAll().orderBy('id').execute();

  test('somebody who is not signed in is sent to a form with labelled fields, and from it to where they were going', async () => {
    const browser = on.browser();
    const sent = await browser.get('/acme/deploy/builds/3?tab=log');
    expect([sent.status, sent.headers['location']]).toEqual([
      302,
      '/login?return_to=%2Facme%2Fdeploy%2Fbuilds%2F3%3Ftab%3Dlog',
    ]);
    const form = await browser.get(sent.headers['location'] as string);
    expect(form.status).toBe(200);
    expect(form.text).toMatch(/<label for="email">Email<\/label><input id="email" name="email"/);
    expect(form.text).toMatch(/<label for="password">Password<\/label><input id="password"/);
    expect(form.text).toMatch(/<button [^>]*type="submit">Sign in<\/button>/);
    expect(form.text).not.toContain('<script');
    expect(form.headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
    expect(form.headers['referrer-policy']).toBe('same-origin');
    const done = await browser.signIn(on.world.member.email, 'correct horse', sent.headers['location'] as string);
    expect([done.status, done.headers['location']]).toEqual([303, '/acme/deploy/builds/3?tab=log']);
    expect((await browser.query(viewer)).body.data.viewer.user.email).toBe(on.world.member.email);
    expect((await browser.get('/login?return_to=/acme')).headers['location']).toBe('/acme');
  });

  test('the email address may be spelled with capitals; a wrong password, an account without one and an unknown account get the same page', async () => {
    const { member, admin } = on.world;
    expect((await on.browser().signIn(member.email.toUpperCase(), 'correct horse')).status).toBe(303);
    const pages = [];
    for (const email of [member.email, admin.email, 'nobody@example.com']) {
      const { status, text } = await on.browser().signIn(email, 'wrong');
      pages.push([status, text.replaceAll(email, 'EMAIL')]);
      expect(text).toContain(`value="${email}"`);
    }
    expect(pages[0]?.[0]).toBe(401);
    expect(pages[0]?.[1]).toContain('role="alert">The email address or the password is not right.');
    expect(pages[1]).toEqual(pages[0]);
    expect(pages[2]).toEqual(pages[0]);
    const empty = await on.browser().signIn('<b>"', '');
    expect([empty.status, empty.text.includes('<b>')]).toEqual([422, false]);
    expect((await on.browser().signIn('nobody\0@example.com', 'wrong')).status).toBe(422);
    expect((await on.browser().signIn(member.email, 'x'.repeat(limits.signInFormBytes))).status).toBe(413);
    expect((await on.browser().submit('/login', {}, { 'content-type': 'text/plain' })).status).toBe(415);
  });

  test('after ten wrong passwords the account is braked from that address, for the right password too, and not from another', async () => {
    on.world.services.trustsProxy = trustProxies(['127.0.0.1']);
    const from = (address: string) => on.browser({ 'x-forwarded-for': address });
    const { db } = on.world.services;
    for (const made of [0, limits.signInAttemptsPerAccountAndAddress - 1]) {
      // As many attempts as it takes, each of which would cost the time of a password.
      await db.updateTable('sign_in_attempts').set({ points: made }).execute();
      expect((await from('192.0.2.1').signIn('nobody@example.com', 'wrong')).status).toBe(401);
    }
    const braked = await from('192.0.2.1').signIn('Nobody@example.com', 'correct horse');
    expect([braked.status, Number(braked.headers['retry-after']) > 500]).toEqual([429, true]);
    expect(braked.text).toContain('Too many attempts to sign in. Please try again in 10 minutes.');
    expect((await from('192.0.2.2').signIn('nobody@example.com', 'wrong')).status).toBe(401);
    expect((await from('192.0.2.1').signIn(on.world.member.email, 'correct horse')).status).toBe(303);
    on.world.services.trustsProxy = () => false;
  });

  test('one address is braked however many accounts it tries, an IPv6 network as one', async () => {
    const { db } = on.world.services;
    on.world.services.trustsProxy = trustProxies(['127.0.0.1']);
    const attempt = (last: number) =>
      on.browser({ 'x-forwarded-for': `2001:db8::${last}` }).signIn(`somebody-${last}@example.com`, 'wrong');
    expect((await attempt(1)).status).toBe(401);
    await db.updateTable('sign_in_attempts').set({ points: limits.signInAttemptsPerAddress }).execute();
    expect((await attempt(2)).status).toBe(429);
    on.world.services.trustsProxy = () => false;
  });

  test('a form of another site signs nobody in or out, and a session counts for JSON from our own pages only', async () => {
    const { email } = on.world.member;
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
    expect((await on.browser().submit('/login', { email, password: 'correct horse' }, foreign)).status).toBe(403);
    const browser = await signedIn();
    const refused: [Record<string, string>, number][] = [
      [foreign, 403],
      [{ 'sec-fetch-site': 'same-site' }, 403],
      [{ 'sec-fetch-site': 'same-origin', origin: 'null' }, 403],
      [{ origin: 'http://127.0.0.1:1' }, 403],
      [{ 'content-type': 'text/plain' }, 415],
    ];
    for (const [headers, status] of refused) {
      const reply = await browser.query(viewer, {}, headers);
      expect([headers, reply.status, reply.body.data]).toEqual([headers, status, undefined]);
    }
    const plain = { 'content-type': 'application/json', cookie: browser.cookie };
    expect((await on.browser().send('post', '/graphql', plain, '{"query":"{ viewer { id } }"}')).status).toBe(403);
    expect((await browser.query(viewer, {}, { origin: on.url })).status).toBe(200);
    // Another name of this host, and the address that people use when a proxy changes the host.
    const host = `localhost:${new URL(on.url).port}`;
    expect((await browser.query(viewer, {}, { host, origin: `http://${host}` })).status).toBe(200);
    expect((await browser.query(viewer, {}, { host: 'upstream', origin: on.url })).status).toBe(200);
    expect((await browser.submit('/logout', {}, foreign)).status).toBe(403);
    expect((await browser.query(viewer)).status).toBe(200);
  });

  test('a request with an API token ignores the cookie, also a token that is wrong', async () => {
    const browser = await signedIn();
    const headers = { authorization: on.world.admin.authorization, 'sec-fetch-site': 'cross-site' };
    expect((await browser.query(viewer, {}, headers)).body.data.viewer).toMatchObject({
      user: { email: on.world.admin.email },
      session: null,
    });
    expect((await browser.query(viewer, {}, { authorization: 'Bearer wrong' })).status).toBe(401);
    // What GraphiQL sends until a token is typed.
    expect((await browser.query(viewer, {}, { authorization: 'Bearer ' })).status).toBe(200);
    expect((await on.browser().query(viewer)).status).toBe(401);
  });

  test('the cookie is hidden from scripts, and under https behind a proxy bound to the host and to https', async () => {
    const plain = await on.browser().signIn(on.world.member.email, 'correct horse');
    expect(plain.get('Set-Cookie')?.[0]).toMatch(
      /^slipway_session=[0-9a-f]{64}; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    on.world.services.trustsProxy = trustProxies(['127.0.0.1']);
    const behind = on.browser({ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'ci.example.com' });
    const secure = await behind.signIn(on.world.member.email, 'correct horse');
    expect(secure.get('Set-Cookie')?.[0]).toMatch(
      /^__Host-slipway_session=[0-9a-f]{64}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect((await behind.query(viewer, {}, { origin: 'https://ci.example.com' })).status).toBe(200);
    expect((await behind.query(viewer, {}, { origin: 'http://ci.example.com' })).status).toBe(403);
    // A cookie that another host of the domain could have set.
    const planted = { ...behind.headers, cookie: behind.cookie.replace('__Host-', '') };
    expect((await on.browser(planted).query(viewer)).status).toBe(401);
    on.world.services.trustsProxy = () => false;
    // The word of a proxy that is not trusted is not believed.
    const untrusted = on.browser({ 'x-forwarded-proto': 'https' });
    expect((await untrusted.signIn(on.world.member.email, 'correct horse')).get('Set-Cookie')?.[0]).not.toContain(
      'Secure',
    );
  });

  test('the token is stored hashed, and signing in again ends the session before', async () => {
    const browser = await signedIn();
    const [first] = (await sessions()).slice(-1);
    const token = browser.cookies.get('slipway_session');
    expect(JSON.stringify(first)).not.toContain(token);
    await browser.signIn(on.world.member.email, 'correct horse');
    expect(browser.cookies.get('slipway_session')).not.toBe(token);
    expect((await sessions()).map(({ id }) => id)).not.toContain(first?.id);
  });

  test('a session ends when it is unused for a week and after thirty days, and is forgotten', async () => {
    const start = on.world.clock.now();
    const idle = await signedIn();
    on.world.clock.advance(limits.sessionIdleDays * day);
    expect((await idle.query(viewer)).status).toBe(401);
    const used = await signedIn();
    for (let days = 0; days < limits.sessionDays; days += 5) {
      expect((await used.query(viewer)).status).toBe(200);
      await writeCredentialUses(on.world.services);
      on.world.clock.advance(5 * day);
    }
    expect((await used.query(viewer)).status).toBe(401);
    expect((await used.get('/acme')).headers['location']).toBe('/login?return_to=%2Facme');
    await forgetSessions(on.world.services);
    expect(await sessions()).toEqual([]);
    on.world.clock.set(start);
  });

  test('the token changes every hour; requests under way keep theirs, and a lost reply signs nobody out', async () => {
    const browser = await signedIn();
    const before = browser.cookies.get('slipway_session') ?? '';
    const old = () => {
      const other = on.browser();
      other.cookies.set('slipway_session', before);
      return other;
    };
    on.world.clock.advance(limits.sessionRotationMinutes * 60);
    // The reply with the next token is lost: the browser goes on with the one that it has, and gets another.
    expect((await old().query(viewer)).get('Set-Cookie')).toHaveLength(1);
    expect((await old().query(viewer)).get('Set-Cookie')).toBeUndefined();
    on.world.clock.advance(limits.sessionRotationGraceSeconds);
    expect((await browser.query(viewer)).get('Set-Cookie')).toHaveLength(1);
    expect(browser.cookies.get('slipway_session')).not.toBe(before);
    expect((await old().query(viewer)).status).toBe(200);
    // Once the browser shows that it has the next one, the one before is good for a minute only.
    expect((await browser.query(viewer)).get('Set-Cookie')).toBeUndefined();
    expect((await old().query(viewer)).status).toBe(200);
    on.world.clock.advance(limits.sessionRotationGraceSeconds);
    expect((await old().query(viewer)).status).toBe(401);
    expect((await browser.query(viewer)).status).toBe(200);
  });

  test('of requests that arrive together when the token is due, one gets the next', async () => {
    const browser = await signedIn();
    const cookie = browser.cookie;
    on.world.clock.advance(limits.sessionRotationMinutes * 60);
    const replies = await Promise.all(Array.from({ length: 10 }, () => on.browser({ cookie }).query(viewer)));
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
    expect(replies.filter((reply) => reply.get('Set-Cookie') !== undefined)).toHaveLength(1);
  });

  test('the last use of a session and of an API token is known with address and browser', async () => {
    const browser = await signedIn({ 'user-agent': 'Story/1' });
    on.world.clock.advance(30);
    await browser.query(viewer);
    await on.browser().query('{ viewer { id } }', {}, { authorization: on.world.admin.authorization });
    await writeCredentialUses(on.world.services);
    const now = on.world.clock.now();
    expect((await sessions()).at(-1)).toMatchObject({ lastUsedAt: now, ipAddress: '127.0.0.1', userAgent: 'Story/1' });
    const { db } = on.world.services;
    const tokens = db.selectFrom('api_tokens').select(['lastUsedAt', 'lastUsedIpAddress']);
    expect(await tokens.where('userId', '=', on.world.admin.id).execute()).toEqual([
      { lastUsedAt: now, lastUsedIpAddress: '127.0.0.1' },
    ]);
  });

  test('signing out ends the session on the server', async () => {
    const browser = await signedIn();
    const { cookie } = browser;
    const reply = await browser.submit('/logout', {});
    expect([reply.status, reply.headers['location'], browser.cookies.size]).toEqual([303, '/login', 0]);
    expect((await on.browser({ cookie }).query(viewer)).status).toBe(401);
    expect((await browser.submit('/logout', {})).status).toBe(303);
  });

  describe('with a one-time address', () => {
    const address = async () => {
      const { token } = await perform(createSignInAddress, on.world.system(), { email: on.world.admin.email });
      return `/login/once/${token}`;
    };

    test('one that an operator made for anywhere signs in once behind a proxy, and no other token does', async () => {
      const made = { email: on.world.admin.email, anywhere: true };
      const { url } = await perform(createSignInAddress, on.world.system(), made);
      expect(url.startsWith(`${on.world.services.baseUrl}/login/once/any-`)).toBe(true);
      const { pathname } = new URL(url);
      const proxied = { 'X-Forwarded-For': '198.51.100.7' };
      expect((await on.browser(proxied).send('head', pathname, {})).status).toBe(403);
      expect((await on.browser(proxied).get(pathname)).status).toBe(303);
      expect((await on.browser(proxied).get(pathname)).status).toBe(410);
      const local = await address();
      expect((await on.browser(proxied).get(local.replace('/once/', '/once/any-'))).status).toBe(410);
      expect((await on.browser().get(local)).status).toBe(303);
    });

    test('the address signs in once', async () => {
      const path = await address();
      const browser = on.browser();
      expect((await browser.send('head', path, {})).status).toBe(403);
      const [opened, again] = await Promise.all([browser.get(path), on.browser().get(path)]);
      expect([opened.status, again.status].sort()).toEqual([303, 410]);
      const winner = opened.status === 303 ? opened : again;
      expect([winner.headers['location'], winner.get('Set-Cookie')?.length]).toEqual(['/', 1]);
      expect((await on.browser().get(path)).text).toContain('was used already, or its time is over');
    });

    test('the address is good for five minutes, and for this machine only', async () => {
      const path = await address();
      for (const [name, value] of [
        ['x-forwarded-for', '192.0.2.1'],
        ['forwarded', 'for=192.0.2.1'],
        ['host', 'ci.example.com'],
      ] as const)
        expect((await on.browser({ [name]: value }).get(path)).status).toBe(403);
      on.world.clock.advance(limits.signInAddressMinutes * 60);
      expect((await on.browser().get(path)).status).toBe(410);
      expect((await on.browser().get('/login/once/guessed')).status).toBe(410);
    });
  });
});
