import { createInvitations } from '../../src/operations/organizations/invitations/create.js';
import { openSingleSignOn } from '../../src/providers/single-sign-on.js';
import { type Browser, ConsoleWorld } from '../support/browser.js';
import { OidcProvider } from '../support/oidc-provider.js';
import type { Person } from '../support/world.js';

const organizations = '{ viewer { organizations(first: 5) { nodes { slug } } } organization(slug: "acme") { name } }';
const newToken = `mutation ($organizations: [ID!]) {
  apiAccessTokenCreate(input: { description: "new", scopes: [READ_USER], organizationIds: $organizations }) { apiAccessToken { id } }
}`;

describe('a member whose organization requires single sign-on', () => {
  let on: ConsoleWorld;
  let provider: OidcProvider;
  let otherId: string;

  beforeAll(async () => {
    on = await ConsoleWorld.open();
    provider = await OidcProvider.open([`${on.url}/login/oidc/callback`]);
    const { db } = on.world.services;
    const other = await db
      .selectFrom('organizations')
      .select('id')
      .where('slug', '=', 'other')
      .executeTakeFirstOrThrow();
    otherId = other.id;
  });
  beforeEach(() => {
    on.world.services.singleSignOn = openSingleSignOn(provider.settings, on.world.services.outbound);
  });
  afterAll(async () => {
    provider.close();
    await on.close();
  });

  /** A member of `acme`, and of `other` where `elsewhere` is set, with the password `correct horse`. */
  async function member({
    ssoMode = 'required',
    elsewhere = false,
  }: { ssoMode?: 'optional' | 'required'; elsewhere?: boolean } = {}) {
    const { world } = on;
    const person = await world.person({ organizationId: world.organization.id });
    if (elsewhere)
      await world.insert('organization_members', { organizationId: otherId, userId: person.id, role: 'member' });
    await on.setPassword(person.id, 'correct horse');
    provider.people.set(person.id, { email: person.email, email_verified: true });
    if (ssoMode === 'required') await require(person);
    return person;
  }

  async function require(person: Person): Promise<void> {
    await on.world.services.db
      .updateTable('organization_members')
      .set({ ssoMode: 'required' })
      .where('userId', '=', person.id)
      .where('organizationId', '=', on.world.organization.id)
      .execute();
  }

  async function bySingleSignOn(person: string, returnTo = '/'): Promise<Browser> {
    const browser = on.browser();
    const begun = await browser.get(`/login/oidc?return_to=${encodeURIComponent(returnTo)}`);
    const { pathname, search } = new URL(await provider.visit(begun.headers['location'] as string, person));
    const reply = await browser.get(pathname + search, { 'sec-fetch-site': 'cross-site' });
    expect(reply.status).toBe(303);
    return browser;
  }

  const reachable = async (browser: Browser) => {
    const { data } = (await browser.query(organizations)).body;
    return {
      slugs: data.viewer.organizations.nodes.map(({ slug }: { slug: string }) => slug),
      acme: data.organization,
    };
  };

  test('is refused with the right password, is told why, and gets in by single sign-on', async () => {
    const person = await member();
    const browser = on.browser();
    const refused = await browser.signIn(person.email, 'correct horse');
    expect([refused.status, browser.cookies.size]).toEqual([403, 0]);
    expect(refused.text).toContain('Acme Inc requires single sign-on. Please sign in with it.');
    expect(refused.text).toContain('Sign in with single sign-on</a>');
    const wrong = await on.browser().signIn(person.email, 'wrong');
    expect([wrong.status, wrong.text.includes('requires single sign-on')]).toEqual([401, false]);
    expect(await reachable(await bySingleSignOn(person.id))).toEqual({ slugs: ['acme'], acme: { name: 'Acme Inc' } });
  });

  test('reaches by password only the organizations that do not require it', async () => {
    const person = await member({ elsewhere: true });
    const browser = on.browser();
    expect((await browser.signIn(person.email, 'correct horse')).status).toBe(303);
    expect(await reachable(browser)).toEqual({ slugs: ['other'], acme: null });
    expect((await reachable(await bySingleSignOn(person.id))).slugs.sort()).toEqual(['acme', 'other']);
  });

  test('loses the organization in sessions by password from the moment that it is required, and keeps API tokens', async () => {
    const person = await member({ ssoMode: 'optional' });
    const browser = on.browser();
    await browser.signIn(person.email, 'correct horse');
    expect((await reachable(browser)).slugs).toEqual(['acme']);
    await require(person);
    expect(await reachable(browser)).toEqual({ slugs: [], acme: null });
    const token = { authorization: person.authorization };
    const { data } = (await on.browser().query(organizations, {}, token)).body;
    expect(data.organization).toEqual({ name: 'Acme Inc' });
  });

  test('cannot make an API token by password that reaches the organization', async () => {
    const person = await member({ elsewhere: true });
    const browser = on.browser();
    await browser.signIn(person.email, 'correct horse');
    const make = async (by: Browser, ids: string[] | null) => {
      const { body } = await by.query(newToken, { organizations: ids });
      return body.errors?.[0].message ?? 'made';
    };
    expect(await make(browser, null)).toContain('includes Acme Inc, which requires single sign-on');
    expect(await make(browser, [on.world.organization.id])).toContain(
      'names an organization that you are no member of',
    );
    expect(await make(browser, [otherId])).toBe('made');
    expect(await make(await bySingleSignOn(person.id), null)).toBe('made');
  });

  test('signs in by password where the installation has no single sign-on, which nobody could use', async () => {
    const person = await member();
    delete on.world.services.singleSignOn;
    const browser = on.browser();
    expect((await browser.signIn(person.email, 'correct horse')).status).toBe(303);
    expect((await reachable(browser)).slugs).toEqual(['acme']);
  });

  test('joins by an invitation that requires single sign-on only with it, with or without an account', async () => {
    const { world } = on;
    const invite = async (email: string) => {
      const { invitations } = await world.perform(world.admin, createInvitations, {
        organization: { slug: 'acme' },
        emails: [email],
        ssoMode: 'required',
      });
      return new URL(invitations[0]!.acceptUrl).pathname;
    };
    const path = await invite('grace@example.com');
    const page = await on.browser().get(path);
    expect(page.text).not.toContain('New password');
    expect(page.text).toContain('href="/login/oidc?return_to=%2Facme"');
    const refused = await on.browser().submit(path, { name: 'Grace', password: 'a password of hers' });
    expect([refused.status, refused.text.includes('Acme Inc requires single sign-on')]).toEqual([422, true]);
    provider.people.set('grace', { email: 'grace@example.com', email_verified: true });
    expect((await reachable(await bySingleSignOn('grace'))).slugs).toEqual(['acme']);

    const stranger = await world.person({ organizationId: otherId });
    await on.setPassword(stranger.id, 'correct horse');
    provider.people.set(stranger.id, { email: stranger.email, email_verified: true });
    const second = await invite(stranger.email);
    const byPassword = on.browser();
    await byPassword.signIn(stranger.email, 'correct horse');
    expect((await byPassword.get(second)).text).not.toContain('Join with this account');
    expect((await byPassword.submit(second, {})).status).toBe(422);
    const browser = await bySingleSignOn(stranger.id);
    expect((await browser.submit(second, {})).status).toBe(303);
    expect((await reachable(browser)).slugs.sort()).toEqual(['acme', 'other']);
  });
});
