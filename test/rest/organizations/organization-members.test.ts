import type { Data } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';
import { expectShape } from '../reply-shape.js';
import { RestWorld } from '../rest-world.js';

const all = '/organizations/acme/members';

describe('members of an organization', () => {
  let rest: RestWorld;
  beforeAll(async () => (rest = await RestWorld.create()));
  afterAll(() => rest.close());

  const newcomer = (role: 'admin' | 'member' = 'member') =>
    rest.world.person({ organizationId: rest.world.organization.id, role });
  const patch = (person: Person, body: object, as?: Person) =>
    rest.request('patch', `${all}/${person.id}`, as).send(body);

  test("organization members are listed and read under the user's id", async () => {
    const { admin, member } = rest.world;
    const { status, body } = await rest.get(all, member);
    expect(status).toBe(200);
    expect(body.map((each: Data) => each.id).sort()).toEqual([admin.id, member.id].sort());
    for (const each of body) expectShape('OrganizationMember', each);
    const one = await rest.get(`${all}/${member.id}`, member);
    expect([one.status, one.body]).toEqual([
      200,
      { id: member.id, name: expect.any(String), email: member.email, role: 'member', sso_mode: 'optional' },
    ]);
    expect((await rest.get(`${all}/${rest.world.outsider.id}`)).status).toBe(404);
    expect((await rest.get(`${all}?per_page=1`)).headers['link']).toContain('rel="next"');
  });

  test("administrators change a member's role and sign-in mode", async () => {
    const person = await newcomer();
    expect((await patch(person, { role: 'admin' })).body).toMatchObject({
      id: person.id,
      role: 'admin',
      sso_mode: 'optional',
    });
    expect((await patch(person, { sso_mode: 'required' })).body).toMatchObject({ role: 'admin', sso_mode: 'required' });
    expect((await rest.request('post', '/organizations/acme/teams', person).send({ name: 'Theirs' })).status).toBe(201);
    expect((await patch(person, { role: 'member' })).status).toBe(200);
    expect((await rest.request('post', '/organizations/acme/teams', person).send({ name: 'Not theirs' })).status).toBe(
      403,
    );
  });

  test.each<[object, string]>([
    [{}, 'Validation failed: Role or sso mode must be given'],
    [{ role: 'owner' }, 'Validation failed: Role must be one of admin, member'],
    [{ sso_mode: 'never' }, 'Validation failed: Sso mode must be one of optional, required'],
  ])('changing a member to %j is refused', async (given, message) => {
    const reply = await patch(rest.world.member, given);
    expect([reply.status, reply.body]).toEqual([422, { message }]);
  });

  test('administrators cannot change or remove themselves, and members can change or remove no one', async () => {
    const { admin, member } = rest.world;
    const replies = [
      await patch(admin, { role: 'member' }),
      await patch(admin, { sso_mode: 'required' }),
      await rest.request('delete', `${all}/${admin.id}`),
      await patch(admin, { role: 'member' }, member),
      await rest.request('delete', `${all}/${admin.id}`, member),
      await rest.request('delete', `${all}/${member.id}`, member),
    ];
    for (const { status, body } of replies) expect([status, body]).toEqual([403, { message: 'Forbidden' }]);
  });

  test('a removed member leaves all teams and loses access', async () => {
    const { world } = rest;
    const person = await newcomer();
    const teamId = await world.insert('teams', { organizationId: world.organization.id, slug: 'left', name: 'Left' });
    await world.insert('team_members', {
      organizationId: world.organization.id,
      teamId,
      userId: person.id,
      role: 'member',
    });
    const deleted = await rest.request('delete', `${all}/${person.id}`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    expect(
      await world.services.db.selectFrom('team_members').select('id').where('userId', '=', person.id).execute(),
    ).toEqual([]);
    expect((await rest.get('/organizations/acme', person)).status).toBe(404);
    expect((await rest.request('delete', `${all}/${person.id}`)).status).toBe(404);
  });
});
