import { Problem } from '../../../../src/domain/problem.js';
import { perform } from '../../../../src/core/operation.js';
import { createApiToken } from '../../../../src/operations/organizations/api-tokens/create.js';
import { scopesAmong } from '../../../../src/domain/organizations/scopes.js';
import { listAccessTokens } from '../../../../src/operations/organizations/api-tokens/list.js';
import { listTeams } from '../../../../src/operations/organizations/teams/list.js';
import { World } from '../../../support/world.js';

describe('access-token.create', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const wanted = (fields: object = {}) => ({
    userEmail: world.admin.email,
    description: 'laptop',
    scopes: ['read_builds'],
    organizations: ['acme'],
    ...fields,
  });

  test('access-token.create issues a token limited to its scopes and organizations, and stores only its hash', async () => {
    const { token, row } = await perform(createApiToken, world.system(), wanted());
    expect(token).toMatch(/^bkua_[0-9a-f]{40}$/);
    expect(JSON.stringify(row)).not.toContain(token);
    const { actor } = await world.as({ ...world.admin, authorization: `Bearer ${token}` });
    expect(actor).toMatchObject({
      userId: world.admin.id,
      scopes: new Set(['read_builds']),
      organizations: new Set([world.organization.id]),
    });
  });

  test('a token that is issued with another spelling of a scope is told that spelling, and holds the scope', async () => {
    const scopes = ['view_teams', 'read_builds', 'read_accounts'];
    const { token, row } = await perform(createApiToken, world.system(), wanted({ scopes }));
    expect(row.scopes).toEqual(['read_teams', 'view_teams', 'read_builds', 'read_organizations', 'read_accounts']);
    const holder = { ...world.admin, authorization: `Bearer ${token}` };
    const organization = { slug: 'acme' };
    await expect(world.perform(holder, listTeams, { organization, paging: { first: 1 } })).resolves.toBeDefined();
    const seen = await world.perform(world.admin, listAccessTokens, { organization, paging: { first: 50 } });
    const { scopes: told } = seen.rows.find(({ id }) => id === row.id) ?? { scopes: [] };
    expect(told).toEqual(row.scopes);
    expect(scopesAmong(told)).toEqual(['read_builds', 'read_organizations', 'read_teams']);
    const refused = perform(createApiToken, world.system(), wanted({ scopes: ['view_all'] }));
    await expect(refused).rejects.toMatchObject({ code: 'invalid' });
  });

  test('access-token.create can issue a token for all organizations, and one with an expiry time', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 1_000);
    const { token } = await perform(createApiToken, world.system(), wanted({ organizations: 'all', expiresAt }));
    const person = { ...world.admin, authorization: `Bearer ${token}` };
    expect((await world.as(person)).actor).toMatchObject({ organizations: 'all' });
    const { row } = await perform(createApiToken, world.system(), wanted({ expiresAt }));
    expect(row.expiresAt).toEqual(expiresAt);
  });

  test('access-token.create reports every unknown user and organization, and issues no token', async () => {
    const count = async () => (await world.services.db.selectFrom('api_tokens').select('id').execute()).length;
    const before = await count();
    const refusal = await perform(
      createApiToken,
      world.system(),
      wanted({ userEmail: 'nobody@example.com', organizations: ['acme', 'void'] }),
    ).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect((refusal as Problem).details.fields).toEqual([
      { field: 'user', code: 'there is no user nobody@example.com' },
      { field: 'organizations', code: 'there is no organization void' },
    ]);
    expect(await count()).toBe(before);
  });

  test('access-token.create is refused to users, because a token cannot create tokens', async () => {
    await expect(world.perform(world.admin, createApiToken, wanted())).rejects.toMatchObject({ code: 'forbidden' });
  });
});
