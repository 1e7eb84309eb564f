import { limits } from '../../src/domain/limits/limits.js';
import { openOutbound } from '../../src/providers/outbound.js';
import { openSingleSignOn } from '../../src/providers/single-sign-on.js';
import { type Browser, ConsoleWorld } from '../support/browser.js';
import { OidcProvider } from '../support/oidc-provider.js';

const viewer =
  '{ viewer { user { email name } session { method } organizations(first: 5) { edges { node { slug } } } } }';

describe('signing in by OpenID Connect', () => {
  let on: ConsoleWorld;
  let provider: OidcProvider;

  beforeAll(async () => {
    on = await ConsoleWorld.open();
    provider = await OidcProvider.open([`${on.url}/login/oidc/callback`]);
    on.world.services.singleSignOn = openSingleSignOn(provider.settings, on.world.services.outbound);
    const { member } = on.world;
    provider.people.set('member', { email: member.email, email_verified: true, name: 'Somebody' });
    provider.people.set('capitals', { email: member.email.toUpperCase(), email_verified: true });
    provider.people.set('unverified', { email: member.email, email_verified: false });
    provider.people.set('silent', {});
    provider.people.set('newcomer', { email: 'Grace@Example.org', email_verified: true, name: 'Grace' });
    provider.people.set('foreign', { email: 'grace@example.org.evil.example', email_verified: true });
  });
  beforeEach(() => on.world.services.db.deleteFrom('sign_in_attempts').execute());
  afterAll(async () => {
    provider.close();
    await on.close();
  });

  /** The address that the provider sends a person back to. */
  const atProvider = async (browser: Browser, person: string, returnTo = '/') => {
    const begun = await browser.get(`/login/oidc?return_to=${encodeURIComponent(returnTo)}`);
    expect(begun.status).toBe(302);
    return new URL(await provider.visit(begun.headers['location'] as string, person));
  };
  const back = async (browser: Browser, { pathname, search }: URL) =>
    // The provider is another site, from which a link leads back.
    browser.get(pathname + search, { 'sec-fetch-site': 'cross-site' });
  const signIn = async (person: string, returnTo?: string) => {
    const browser = on.browser();
    return { browser, reply: await back(browser, await atProvider(browser, person, returnTo)) };
  };

  test('the sign-in page offers it, and it leads to where the person was going', async () => {
    const form = await on.browser().get('/login?return_to=/acme/deploy');
    expect(form.text).toContain('href="/login/oidc?return_to=%2Facme%2Fdeploy">Sign in with single sign-on</a>');
    const { browser, reply } = await signIn('member', '/acme/deploy?tab=log');
    expect([reply.status, reply.headers['location']]).toEqual([303, '/acme/deploy?tab=log']);
    expect([...browser.cookies.keys()]).toEqual(['slipway_session']);
    const { data } = (await browser.query(viewer)).body;
    expect(data.viewer.session.method).toBe('SINGLE_SIGN_ON');
    expect(data.viewer.user).toEqual({ email: on.world.member.email, name: 'Person 3' });
  });

  test('the way to the provider carries a challenge, a state and a nonce that nobody can guess', async () => {
    const browser = on.browser();
    const address = new URL((await browser.get('/login/oidc')).headers['location'] as string);
    const { searchParams } = address;
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${on.url}/login/oidc/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    // What proves the sign-in is sealed, so that nobody who reads the cookie can use it.
    expect(browser.cookie).not.toContain(searchParams.get('state'));
  });

  test('an account is found by the verified address in any spelling', async () => {
    const { browser } = await signIn('capitals');
    expect((await browser.query(viewer)).body.data.viewer.user.email).toBe(on.world.member.email);
  });

  test.each([
    ['unverified', 403, 'has not verified that'],
    ['silent', 403, 'did not say which email address'],
    ['newcomer', 403, 'There is no account for Grace@Example.org here.'],
    ['refused', 403, 'refused the sign-in, or you stopped it'],
  ])('the person %s is refused with a page that says why', async (person, status, reason) => {
    const { browser, reply } = await signIn(person);
    expect([reply.status, browser.cookies.size]).toEqual([status, 0]);
    expect(reply.text).toContain(reason);
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'");
  });

  test('somebody whose domain may join an organization gets an account and joins, once', async () => {
    const { db } = on.world.services;
    const organizationId = on.world.organization.id;
    await db.insertInto('sso_domains').values({ organizationId, domain: 'example.org', role: 'member' }).execute();
    expect((await signIn('foreign')).reply.status).toBe(403);
    const { browser } = await signIn('newcomer');
    const { data } = (await browser.query(viewer)).body;
    expect(data.viewer.user).toEqual({ email: 'Grace@Example.org', name: 'Grace' });
    expect(data.viewer.organizations.edges).toEqual([{ node: { slug: 'acme' } }]);
    // An administrator removes her: signing in again does not bring her back.
    const user = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'Grace@Example.org')
      .executeTakeFirstOrThrow();
    await db.deleteFrom('organization_members').where('userId', '=', user.id).execute();
    const again = await signIn('newcomer');
    expect((await again.browser.query(viewer)).body.data.viewer.organizations.edges).toEqual([]);
  });

  test('nobody gets one more account where several differ in the spelling of their address alone', async () => {
    const { world } = on;
    // Made before addresses counted alike, and marked by the migration since.
    await world.insert('users', { email: 'x1@example.org', name: 'One' });
    await world.insert('users', { email: 'X1@example.org', name: 'Two', sharesEmail: true });
    provider.people.set('exact', { email: 'X1@example.org', email_verified: true });
    provider.people.set('ambiguous', { email: 'x1@Example.org', email_verified: true });
    const { browser } = await signIn('exact');
    expect((await browser.query(viewer)).body.data.viewer.user.name).toBe('Two');
    const { reply } = await signIn('ambiguous');
    expect([reply.status, reply.text]).toEqual([
      403,
      expect.stringContaining('Several accounts here have the email address'),
    ]);
  });

  test('what came back counts once, in the browser that began, in time, and with its own state', async () => {
    const browser = on.browser();
    const returned = await atProvider(browser, 'member');
    expect((await back(on.browser(), returned)).status).toBe(410);
    const forged = new URL(returned);
    forged.searchParams.set('state', 'another');
    const copy = on.browser();
    copy.cookies.set('slipway_single_sign_on', browser.cookies.get('slipway_single_sign_on') ?? '');
    expect((await back(copy, forged)).status).toBe(502);
    expect(copy.cookies.size).toBe(0);
    const late = on.browser();
    late.cookies.set('slipway_single_sign_on', browser.cookies.get('slipway_single_sign_on') ?? '');
    on.world.clock.advance(limits.singleSignOnMinutes * 60);
    expect((await back(late, returned)).status).toBe(410);
    on.world.clock.advance(-limits.singleSignOnMinutes * 60);
    const { cookie } = browser;
    expect((await back(browser, returned)).status).toBe(303);
    // The provider takes a code once.
    expect((await back(on.browser({ cookie }), returned)).status).toBe(502);
  });

  test('a provider that is away, or at an address that outbound requests may not reach, is answered with a page', async () => {
    const { services } = on.world;
    const { singleSignOn } = services;
    const nowhere = { ...provider.settings, issuer: 'http://127.0.0.1:1' };
    services.singleSignOn = openSingleSignOn(nowhere, services.outbound);
    const away = await on.browser().get('/login/oidc');
    expect([away.status, away.text.includes('did not confirm')]).toEqual([502, true]);
    const guarded = openOutbound({ allow: [] });
    services.singleSignOn = openSingleSignOn(provider.settings, guarded);
    expect((await on.browser().get('/login/oidc')).status).toBe(502);
    await guarded.close();
    services.singleSignOn = singleSignOn!;
  });

  test('an address that tries again and again is braked before the provider is asked', async () => {
    await on.browser().get('/login/oidc');
    const { db } = on.world.services;
    await db.updateTable('sign_in_attempts').set({ points: limits.signInAttemptsPerAddress }).execute();
    const braked = await on.browser().get('/login/oidc');
    expect([braked.status, braked.headers['retry-after'] !== undefined]).toEqual([429, true]);
  });

  test('a code of another provider signs nobody in', async () => {
    const { services } = on.world;
    const { singleSignOn } = services;
    const other = await OidcProvider.open([`${on.url}/login/oidc/callback`]);
    other.people.set('member', { email: on.world.member.email, email_verified: true });
    const browser = on.browser();
    services.singleSignOn = openSingleSignOn(other.settings, services.outbound);
    const begun = await browser.get('/login/oidc');
    const returned = new URL(await other.visit(begun.headers['location'] as string, 'member'));
    // The other provider's code and state come back while ours is the one that is believed.
    services.singleSignOn = singleSignOn!;
    expect((await back(browser, returned)).status).toBe(502);
    other.close();
  });
});

test('without a configured provider there is no such path', async () => {
  const on = await ConsoleWorld.open();
  expect((await on.browser().get('/login')).text).not.toContain('single sign-on');
  expect((await on.browser().get('/login/oidc')).status).toBe(404);
  await on.close();
});
