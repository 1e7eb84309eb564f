import { Door } from '../support.js';

describe('accounts, members and source providers as tools ask for them', () => {
  let door: Door;
  beforeAll(async () => {
    door = await Door.open();
  });
  afterAll(() => door.close());

  test('a viewer has one verified address, and no second factor to set up', async () => {
    const query =
      '{ viewer { permissions { totpConfigure { allowed code } } emails(first: 5) { count edges { node { id uuid address primary verified } } } } }';
    const { viewer } = await door.data(query);
    const [{ node: email }] = viewer.emails.edges;
    expect(viewer.permissions.totpConfigure).toEqual({ allowed: false, code: 'not_permitted' });
    expect(email).toMatchObject({ address: door.world.admin.email, primary: true, verified: true });
    const again = 'query ($id: ID!) { node(id: $id) { ... on Email { address } } }';
    expect(await door.data(again, { id: email.id })).toEqual({ node: { address: door.world.admin.email } });
    expect(await door.data(again, { id: email.id }, door.world.member)).toEqual({ node: null });
    expect(await door.data('{ viewer { emails(verified: false) { count } } }')).toEqual({
      viewer: { emails: { count: 0 } },
    });
  });

  test('a second factor cannot be required of members, and that it is not may be said by administrators', async () => {
    const { world } = door;
    const mutation =
      'mutation ($input: OrganizationEnforceTwoFactorAuthenticationForMembersUpdateMutationInput!) { organizationEnforceTwoFactorAuthenticationForMembersUpdate(input: $input) { organization { membersRequireTwoFactorAuthentication } } }';
    const input = { organizationId: world.organization.id, membersRequireTwoFactorAuthentication: false };
    expect(await door.data(mutation, { input })).toEqual({
      organizationEnforceTwoFactorAuthenticationForMembersUpdate: {
        organization: { membersRequireTwoFactorAuthentication: false },
      },
    });
    const required = { ...input, membersRequireTwoFactorAuthentication: true };
    const refusal = async (variables: object, who = world.admin) => {
      const { body } = await door.post(who).send({ query: mutation, variables });
      return [body.errors[0].extensions.code, body.errors[0].message];
    };
    expect(await refusal({ input: required })).toEqual([
      'BAD_USER_INPUT',
      expect.stringContaining('membersRequireTwoFactorAuthentication must be false: accounts have no second factor'),
    ]);
    expect(await refusal({ input }, world.member)).toEqual(['FORBIDDEN', expect.any(String)]);
  });

  test('members are found by their last use, their security and their single sign-on', async () => {
    const { world } = door;
    const { db } = world.services;
    await db
      .updateTable('api_tokens')
      .set({ lastUsedAt: world.clock.now() })
      .where('userId', '=', world.admin.id)
      .execute();
    await db.updateTable('users').set({ passwordHash: 'x' }).where('id', '=', world.member.id).execute();
    const since = new Date(world.clock.now().getTime() - 60_000).toISOString();
    const members = async (filter: string) => {
      const { organization } = await door.data(
        `{ organization(slug: "acme") { members(first: 50${filter}) { edges { node { lastSeenAt user { uuid } } } } } }`,
      );
      return organization.members.edges.map(({ node }: { node: { user: { uuid: string } } }) => node.user.uuid);
    };
    expect(new Set(await members(''))).toEqual(new Set([world.admin.id, world.member.id]));
    expect(await members(`, inactiveSince: "${since}"`)).toEqual([world.member.id]);
    expect(await members(', security: { passwordProtected: true }')).toEqual([world.member.id]);
    expect(await members(', security: { twoFactorEnabled: true }')).toEqual([]);
    expect(await members(', sso: { mode: REQUIRED }')).toEqual([]);
    const { organization } = await door.data(
      `{ organization(slug: "acme") { members(email: "${world.admin.email}") { edges { node { lastSeenAt } } } } }`,
    );
    expect(organization.members.edges[0].node.lastSeenAt).toBe(world.clock.now().toISOString());
  });

  test('connections to source providers have the types that tools select', async () => {
    const { world } = door;
    const connect = (provider: 'github' | 'github_enterprise', host: string) =>
      world.services.db
        .insertInto('provider_connections')
        .values({
          id: world.system().newId(),
          organizationId: world.organization.id,
          provider,
          host,
          apiUrl: `https://${host}/api`,
          token: 'sealed',
          createdAt: world.clock.now(),
          updatedAt: world.clock.now(),
        })
        .execute();
    await connect('github', 'github.com');
    await connect('github_enterprise', 'github.example.com');
    const query =
      '{ organization(slug: "acme") { repositoryProviders { __typename name ... on OrganizationRepositoryProviderGitHub { id rateLimit { mostRecent { limit remaining used resetAt } } } ... on OrganizationRepositoryProviderGitHubEnterpriseServer { id url } } } }';
    const { organization } = await door.data(query);
    expect(organization.repositoryProviders).toEqual([
      {
        __typename: 'OrganizationRepositoryProviderGitHubEnterpriseServer',
        name: 'github.example.com',
        id: expect.any(String),
        url: 'https://github.example.com/api',
      },
      {
        __typename: 'OrganizationRepositoryProviderGitHub',
        name: 'github.com',
        id: expect.any(String),
        rateLimit: { mostRecent: null },
      },
    ]);
    for (const { __typename, id } of organization.repositoryProviders) {
      const { node } = await door.data('query ($id: ID!) { node(id: $id) { __typename } }', { id });
      expect(node).toEqual({ __typename });
    }
  });

  test('an organization shows one banner, which its administrators set, change and remove', async () => {
    const { world } = door;
    const banners =
      '{ organization(slug: "acme") { banners(first: 5) { nodes { id uuid message } pageInfo { hasNextPage } } } }';
    const set = (message: string, person = world.admin) =>
      door.ask(
        'mutation ($input: OrganizationBannerUpsertInput!) { organizationBannerUpsert(input: $input) { banner { id message } } }',
        { input: { organizationId: world.organization.id, message } },
        person,
      );
    const { data } = await set('Maintenance at noon');
    const { id } = data.organizationBannerUpsert.banner;
    expect((await set('Maintenance at one')).data.organizationBannerUpsert.banner).toEqual({
      id,
      message: 'Maintenance at one',
    });
    expect((await set('Mine', world.member)).errors?.[0]?.extensions.code).toBe('FORBIDDEN');
    expect((await set(' ')).errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
    const { organization } = await door.data(banners, {}, world.member);
    expect(organization.banners.nodes).toEqual([{ id, uuid: expect.any(String), message: 'Maintenance at one' }]);
    const remove =
      'mutation ($input: OrganizationBannerDeleteInput!) { organizationBannerDelete(input: $input) { deletedBannerId } }';
    const input = { organizationId: world.organization.id };
    expect(await door.data(remove, { input })).toEqual({ organizationBannerDelete: { deletedBannerId: id } });
    expect((await door.ask(remove, { input })).errors?.[0]?.extensions.code).toBe('NOT_FOUND');
    expect((await door.data(banners)).organization.banners.nodes).toEqual([]);
  });
});
