import { Problem } from '../../../src/domain/problem.js';
import { perform } from '../../../src/operations/operation.js';
import { createApiToken } from '../../../src/operations/tokens/create.js';
import { World } from '../../support/world.js';

describe('access-token.create', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
  });
  afterAll(() => world.close());

  const wanted = (fields: object = {}) => ({ userEmail: world.admin.email, description: 'laptop', scopes: ['read_builds'], organizations: ['acme'], ...fields });

  test('issues a token that works within its scopes and organizations, and keeps its hash only', async () => {
    const { token, row } = await perform(createApiToken, world.system(), wanted());
    expect(token).toMatch(/^bkua_[0-9a-f]{40}$/);
    expect(JSON.stringify(row)).not.toContain(token);
    const { actor } = await world.as({ ...world.admin, authorization: `Bearer ${token}` });
    expect(actor).toMatchObject({ userId: world.admin.id, scopes: new Set(['read_builds']), organizations: new Set([world.organization.id]) });
  });

  test('a token of all organizations, with an end', async () => {
    const expiresAt = new Date(world.clock.now().getTime() + 1_000);
    const { token } = await perform(createApiToken, world.system(), wanted({ organizations: 'all', expiresAt }));
    const person = { ...world.admin, authorization: `Bearer ${token}` };
    expect((await world.as(person)).actor).toMatchObject({ organizations: 'all' });
    const { row } = await perform(createApiToken, world.system(), wanted({ expiresAt }));
    expect(row.expiresAt).toEqual(expiresAt);
  });

  test('names everything that does not exist, and issues nothing', async () => {
    const count = async () => (await world.services.db.selectFrom('api_tokens').select('id').execute()).length;
    const before = await count();
    const refusal = await perform(createApiToken, world.system(), wanted({ userEmail: 'nobody@example.com', organizations: ['acme', 'void'] })).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(Problem);
    expect((refusal as Problem).details.fields).toEqual([
      { field: 'user', code: 'there is no user nobody@example.com' },
      { field: 'organizations', code: 'there is no organization void' },
    ]);
    expect(await count()).toBe(before);
  });

  test('is not for users: no token makes tokens', async () => {
    await expect(world.perform(world.admin, createApiToken, wanted())).rejects.toMatchObject({ code: 'forbidden' });
  });
});
