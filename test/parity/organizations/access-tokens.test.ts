import { BothSurfaces, type Data } from '../../support/both-surfaces.js';

const selection = 'id uuid description scopes createdAt expiresAt ipAddress lastAccessedAt owner { uuid name email }';
const path = '/organizations/acme/api-access-tokens';
const revoke =
  'mutation ($input: OrganizationAPIAccessTokenRevokeMutationInput!) { organizationApiAccessTokenRevoke(input: $input) { clientMutationId revokedApiAccessTokenId } }';

describe('API tokens of an organization on both surfaces', () => {
  let surfaces: BothSurfaces;
  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
  });
  afterAll(() => surfaces.close());

  const list = async (): Promise<Data[]> => (await surfaces.read(['get', `${path}?per_page=100`])).items;
  const connection = async (): Promise<Data> =>
    (
      await surfaces.select([
        `{ organization(slug: "acme") { apiAccessTokens(first: 100) { edges { cursor node { uuid } } nodes { ${selection} } pageInfo { hasNextPage endCursor } } } }`,
      ])
    ).organization.apiAccessTokens;
  const works = async (authorization: string, organization = 'acme') =>
    (await surfaces.rest(['get', `/organizations/${organization}`], { ...surfaces.world.member, authorization }))
      .status;

  test("both surfaces list the tokens that give access to the organization, and never a token's value", async () => {
    const { world } = surfaces;
    const { db } = world.services;
    const held = await db.selectFrom('api_tokens').select(['id', 'userId']).execute();
    const items = await list();
    const { nodes, edges, pageInfo } = await connection();
    expect(items.map(({ uuid }) => uuid).sort()).toEqual(
      held
        .filter(({ userId }) => userId === world.admin.id || userId === world.member.id)
        .map(({ id }) => id)
        .sort(),
    );
    expect(
      nodes.map((node: Data) => ({
        uuid: node.uuid,
        graphql_id: node.id,
        description: node.description,
        scopes: node.scopes.map((scope: string) => scope.toLowerCase()),
        created_at: node.createdAt,
        expires_at: node.expiresAt,
        owner: node.owner.uuid,
      })),
    ).toEqual(items.map(({ owner, ...token }) => ({ ...token, owner: owner.id })));
    expect(edges.map(({ node }: Data) => node.uuid)).toEqual(items.map(({ uuid }) => uuid));
    expect(pageInfo).toMatchObject({ hasNextPage: false });
    const said = JSON.stringify([items, nodes]);
    for (const { token } of [world.admin, world.member]) expect(said).not.toContain(token);
    expect(said).not.toMatch(/hash/i);
  });

  test(`revoking a token's access leaves the same rows and events on both surfaces, and the token works elsewhere (${'access-token.revoke-access'})`, async () => {
    const { world } = surfaces;
    const { db } = world.services;
    const first = await world.personWithToken(world.member.id, world.member.email, {
      scopes: ['read_organizations', 'read_user'],
    });
    const second = await world.personWithToken(world.member.id, world.member.email, {
      scopes: ['read_organizations', 'read_user'],
    });
    const [newest, older] = await list();
    expect([await works(first.authorization), await works(second.authorization)]).toEqual([200, 200]);
    expect((await surfaces.rest(['delete', `${path}/${newest.uuid}`])).status).toBe(204);
    const { organizationApiAccessTokenRevoke: revoked } = await surfaces.select([
      revoke,
      {
        input: { organizationId: world.organization.id, apiAccessTokenId: older.graphql_id, clientMutationId: 'mine' },
      },
    ]);
    expect(revoked).toEqual({ clientMutationId: 'mine', revokedApiAccessTokenId: older.graphql_id });
    expect([await works(first.authorization), await works(second.authorization)]).toEqual([404, 404]);
    expect((await surfaces.rest(['get', '/user'], first)).status).toBe(200);
    expect(await surfaces.read(['get', '/organizations'], second)).toEqual([]);
    expect((await list()).map(({ uuid }) => uuid)).not.toEqual(expect.arrayContaining([newest.uuid]));
    const rows = await db.selectFrom('api_token_revocations').select(['organizationId', 'revokedById']).execute();
    expect(rows).toEqual([0, 1].map(() => ({ organizationId: world.organization.id, revokedById: world.admin.id })));
    const events = await db
      .selectFrom('events')
      .select(['subject', 'subjectId', 'type'])
      .where('type', '=', 'access-token.revoke-access')
      .execute();
    expect(events).toEqual(
      [0, 1].map(() => ({
        subject: 'organization',
        subjectId: world.organization.id,
        type: 'access-token.revoke-access',
      })),
    );
    const { items: audited } = await surfaces.read([
      'get',
      '/organizations/acme/audit_events?type=API_ACCESS_TOKEN_ORGANIZATION_ACCESS_REVOKED',
    ]);
    expect(audited.map(({ subject }: Data) => subject.uuid)).toEqual([older.uuid, newest.uuid]);

    // A second time it is not there.
    expect((await surfaces.rest(['delete', `${path}/${newest.uuid}`])).status).toBe(404);
    const again = await surfaces.graphql([
      revoke,
      { input: { organizationId: world.organization.id, apiAccessTokenId: older.uuid } },
    ]);
    expect(again.errors?.[0].extensions.code).toBe('NOT_FOUND');
  });

  test('revoked and expired tokens, and those of people outside the organization, are not listed', async () => {
    const { world } = surfaces;
    const { db } = world.services;
    const items = (await list()).map(({ uuid }) => uuid);
    const gone = await world.personWithToken(world.member.id, world.member.email, { scopes: ['read_user'] });
    const [newest] = await list();
    expect(items).not.toContain(newest.uuid);
    expect((await surfaces.rest(['delete', '/access-token'], gone)).status).toBe(204);
    expect((await list()).map(({ uuid }) => uuid)).toEqual(items);
    const stranger = await db
      .selectFrom('api_tokens')
      .select('id')
      .where('userId', '=', world.outsider.id)
      .executeTakeFirstOrThrow();
    expect(items).not.toContain(stranger.id);
    expect((await surfaces.rest(['delete', `${path}/${stranger.id}`])).status).toBe(404);
    expect(await works(world.outsider.authorization, 'other')).toBe(200);
  });

  test('API tokens are refused to members and hidden from strangers, who change nothing', async () => {
    const { member, outsider, services, organization } = surfaces.world;
    const [token] = await list();
    const count = async () => (await services.db.selectFrom('api_token_revocations').selectAll().execute()).length;
    const before = await count();
    const input = { input: { organizationId: organization.id, apiAccessTokenId: token.uuid } };
    expect([
      (await surfaces.rest(['get', path], member)).status,
      (await surfaces.rest(['delete', `${path}/${token.uuid}`], member)).status,
    ]).toEqual([403, 403]);
    expect((await surfaces.graphql([revoke, input], member)).errors?.[0].extensions.code).toBe('FORBIDDEN');
    expect(
      (
        await surfaces.graphql(
          ['{ organization(slug: "acme") { apiAccessTokens(first: 1) { nodes { uuid } } } }'],
          member,
        )
      ).errors?.[0].extensions.code,
    ).toBe('FORBIDDEN');
    const missing = await surfaces.rest(['delete', `${path}/${member.id}`]);
    expect((await surfaces.rest(['delete', `${path}/${token.uuid}`], outsider)).text).toBe(missing.text);
    expect((await surfaces.graphql([revoke, input], outsider)).errors?.[0].extensions.code).toBe('NOT_FOUND');
    expect(await count()).toBe(before);
  });
});
