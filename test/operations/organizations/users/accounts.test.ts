import { perform } from '../../../../src/core/operation.js';
import { createSession } from '../../../../src/operations/organizations/sessions/create.js';
import { createUser } from '../../../../src/operations/organizations/users/create.js';
import { setUserPassword } from '../../../../src/operations/organizations/users/set-password.js';
import { checkUserPassword } from '../../../../src/operations/organizations/sign-in/check-password.js';
import { refusal } from '../../../support/refusal.js';
import { World } from '../../../support/world.js';

describe('accounts that an operator makes', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const grace = {
    email: 'grace@example.com',
    name: 'Grace',
    organization: 'acme',
    role: 'member',
    password: 'first of hers',
  };
  const fields = async (work: Promise<unknown>) => (await refusal(work)).details.fields;

  test('a user signs in with the password and belongs to the organization and its default teams', async () => {
    const { db } = world.services;
    const team = { organizationId: world.organization.id, slug: 'everyone', name: 'Everyone', isDefault: true };
    await world.insert('teams', team);
    const { user, first } = await perform(createUser, world.system(), grace);
    expect(first).toBe(false);
    const found = await perform(checkUserPassword, world.system(), {
      email: 'Grace@example.com',
      password: 'first of hers',
    });
    expect(found.id).toBe(user.id);
    const member = db.selectFrom('organization_members').select('role').where('userId', '=', user.id);
    expect(await member.execute()).toEqual([{ role: 'member' }]);
    expect(await db.selectFrom('team_members').select('id').where('userId', '=', user.id).execute()).toHaveLength(1);
  });

  test('an address that is taken, an organization that is not there and reserved slugs are refused', async () => {
    const attempt = (changed: object) => fields(perform(createUser, world.system(), { ...grace, ...changed }));
    expect(await attempt({ email: world.member.email.toUpperCase() })).toMatchObject([{ field: 'email' }]);
    const other = { email: 'new@example.com' };
    expect(await attempt({ ...other, organization: 'nowhere' })).toEqual([
      { field: 'organization', code: 'there is no organization nowhere' },
    ]);
    expect(await attempt({ ...other, organization: 'login' })).toMatchObject([{ field: 'organization' }]);
    expect(await attempt({ ...other, password: '' })).toEqual([{ field: 'password', code: 'must not be empty' }]);
    expect(await attempt({ ...other, password: 'x' })).toEqual([
      { field: 'password', code: 'must be at least 8 characters' },
    ]);
    expect(await attempt({ ...other, password: 'password1' })).toEqual([
      { field: 'password', code: 'is one of the most common passwords' },
    ]);
    const refused = perform(createUser, await world.as(world.admin), { ...grace, ...other });
    expect(await refusal(refused)).toMatchObject({ code: 'forbidden' });
  });

  test('another password replaces the first, ends every session, and needs a user', async () => {
    const { id, email } = world.outsider;
    const origin = { ipAddress: null, userAgent: null, formerToken: null };
    await perform(createSession, world.system(), { userId: id, method: 'password', ...origin });
    await perform(setUserPassword, world.system(), { email, password: 'second of theirs' });
    expect((await perform(checkUserPassword, world.system(), { email, password: 'second of theirs' })).id).toBe(id);
    expect(await world.services.db.selectFrom('sessions').select('id').execute()).toEqual([]);
    expect(await fields(perform(setUserPassword, world.system(), { email, password: 'x' }))).toEqual([
      { field: 'password', code: 'must be at least 8 characters' },
    ]);
    expect((await perform(checkUserPassword, world.system(), { email, password: 'second of theirs' })).id).toBe(id);
    expect(await fields(perform(setUserPassword, world.system(), { email: 'nobody@x', password: 'x' }))).toEqual([
      { field: 'email', code: 'there is no user nobody@x' },
    ]);
  });
});
