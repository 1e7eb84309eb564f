import { getAccessToken } from '../../../../src/operations/organizations/api-tokens/get.js';
import { revokeAccessToken } from '../../../../src/operations/organizations/api-tokens/revoke.js';
import { getViewer } from '../../../../src/operations/organizations/users/viewer.js';
import { perform } from '../../../../src/core/operation.js';
import { refusal } from '../../../support/refusal.js';
import { World } from '../../../support/world.js';

describe('the token of a request and its user', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  test('any token may read its own record, which does not contain its value', async () => {
    const person = await world.person({ scopes: ['read_builds'] });
    const { token, user } = await world.perform(person, getAccessToken, {});
    expect(token).toEqual({
      id: expect.any(String),
      userId: person.id,
      description: expect.any(String),
      scopes: ['read_builds'],
      allOrganizations: true,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      lastUsedIpAddress: null,
      createdAt: world.clock.now(),
    });
    expect(user).toMatchObject({ id: person.id, email: person.email });
    expect(JSON.stringify(token)).not.toContain(person.token);
  });

  test('the viewer is the user of the token, for tokens with the user scope', async () => {
    expect(await world.perform(world.member, getViewer, {})).toMatchObject({
      id: world.member.id,
      email: world.member.email,
    });
    const person = await world.person({ scopes: ['read_builds'] });
    expect(await refusal(world.perform(person, getViewer, {}))).toMatchObject({
      code: 'scope_missing',
      details: { scope: 'read_user' },
    });
    expect(await refusal(perform(getViewer, world.system(), {}))).toMatchObject({ code: 'not_found' });
  });

  test("a revoked token is rejected; the user's other tokens still work", async () => {
    const person = await world.person({ scopes: ['read_builds'] });
    const second = await world.personWithToken(person.id, person.email);
    const late = await world.as(person);
    const { token } = await world.perform(person, revokeAccessToken, {});
    expect(token.revokedAt).toEqual(world.clock.now());
    expect(await refusal(world.as(person))).toMatchObject({ code: 'unauthenticated' });
    expect(await world.perform(second, getViewer, {})).toMatchObject({ id: person.id });
    world.clock.advance(5);
    expect((await perform(revokeAccessToken, late, {})).token.revokedAt).toEqual(token.revokedAt);
    const audit = await world.services.db
      .selectFrom('audit_events')
      .select('operation')
      .where('apiTokenId', '=', token.id)
      .execute();
    expect(audit.map((row) => row.operation)).toContain('access-token.revoke');
  });

  test('a request without a token has no caller', async () => {
    expect(await refusal(perform(getAccessToken, world.context({ kind: 'anonymous' }), {}))).toMatchObject({
      code: 'unauthenticated',
    });
    expect(await refusal(perform(getAccessToken, world.system(), {}))).toMatchObject({ code: 'not_found' });
  });
});
