import { getOrganizationMember } from '../../../src/operations/organizations/members/get.js';
import { getOrganization } from '../../../src/operations/organizations/get.js';
import { listOrganizationMembers } from '../../../src/operations/organizations/members/list.js';
import { listOrganizations } from '../../../src/operations/organizations/list.js';
import { refusal } from '../../support/refusal.js';
import { type Person, World } from '../../support/world.js';

describe('organizations', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());
  const acme = { organization: { slug: 'acme' } };

  test("the list contains the user's organizations that the token may access", async () => {
    const slugs = async (person: Person) =>
      (await world.perform(person, listOrganizations, {})).rows.map((row: { slug: string }) => row.slug);
    const { organizationId: otherId } = await world.services.db
      .selectFrom('organization_members')
      .select('organizationId')
      .where('userId', '=', world.outsider.id)
      .executeTakeFirstOrThrow();
    await world.insert('organization_members', { organizationId: otherId, userId: world.admin.id, role: 'member' });
    const narrow = await world.personWithToken(world.admin.id, world.admin.email, {
      tokenOrganizations: [world.organization.id],
    });
    const useless = await world.personWithToken(world.member.id, world.member.email, { tokenOrganizations: [otherId] });
    expect((await slugs(world.admin)).sort()).toEqual(['acme', 'other']);
    expect(await slugs(world.member)).toEqual(['acme']);
    expect(await slugs(narrow)).toEqual(['acme']);
    expect(await slugs(useless)).toEqual([]);
    expect(await refusal(world.perform(useless, getOrganization, acme))).toMatchObject({ code: 'not_found' });
  });

  test('an organization is found by slug or id, and hidden from strangers', async () => {
    expect(await world.perform(world.member, getOrganization, acme)).toEqual(world.organization);
    expect(await world.perform(world.member, getOrganization, { organization: { id: world.organization.id } })).toEqual(
      world.organization,
    );
    const missing = await refusal(
      world.perform(world.outsider, getOrganization, { organization: { slug: 'nowhere' } }),
    );
    expect(await refusal(world.perform(world.outsider, getOrganization, acme))).toEqual(missing);
  });

  test('listing and reading organizations is refused to a token without the scope', async () => {
    const person = await world.person({ organizationId: world.organization.id, scopes: ['read_pipelines'] });
    for (const operation of [listOrganizations, getOrganization, listOrganizationMembers]) {
      expect(await refusal(world.perform(person, operation, acme))).toMatchObject({
        code: 'scope_missing',
        details: { scope: 'read_organizations' },
      });
    }
  });
});

describe('members of an organization', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.create();
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'core', name: 'Core' });
    await world.services.db
      .updateTable('users')
      .set({ name: 'Zoe Turner' })
      .where('id', '=', world.member.id)
      .execute();
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: world.member.id,
      role: 'member',
    });
  });
  afterAll(() => world.close());

  const ids = async (filters: object = {}) => {
    const page = await world.perform(world.member, listOrganizationMembers, {
      organization: { slug: 'acme' },
      order: 'name',
      ...filters,
    });
    return page.rows.map((row: { userId: string }) => row.userId);
  };

  test.each<[string, object, ('admin' | 'member')[]]>([
    ['all, by name', {}, ['admin', 'member']],
    ['a part of a name', { search: 'zoe T' }, ['member']],
    ['a part of an address', { search: 'person-1@' }, ['admin']],
    ['a whole address, capitals aside', { email: 'Person-1@Example.com' }, ['admin']],
    ['not by a part of an address', { email: 'person' }, []],
    ['a role', { role: ['admin'] }, ['admin']],
    ['a team', { teamSlug: 'core' }, ['member']],
    ['not in a team', { teamSlug: '!core' }, ['admin']],
  ])('members are listed and filtered: %s', async (_what, filters, expected) =>
    expect(await ids(filters)).toEqual(expected.map((who) => world[who].id)),
  );

  test('a member is read by its own id, inside its organization only', async () => {
    const row = await world.services.db
      .selectFrom('organization_members')
      .selectAll()
      .where('userId', '=', world.member.id)
      .executeTakeFirstOrThrow();
    const get = (person: Person, organizationMember: object) =>
      world.perform(person, getOrganizationMember, { organizationMember });
    expect(await get(world.admin, { organization: 'acme', id: row.id })).toMatchObject({ organizationMember: row });
    expect(
      await get(world.admin, { id: Buffer.from(`OrganizationMember---${row.id}`).toString('base64') }),
    ).toMatchObject({ organizationMember: row });
    expect(await refusal(get(world.admin, { organization: 'other', id: row.id }))).toMatchObject({ code: 'not_found' });
    expect(await refusal(get(world.outsider, { id: row.id }))).toMatchObject({ code: 'not_found' });
    expect(
      await refusal(world.perform(world.outsider, listOrganizationMembers, { organization: { slug: 'acme' } })),
    ).toMatchObject({ code: 'not_found' });
  });
});
