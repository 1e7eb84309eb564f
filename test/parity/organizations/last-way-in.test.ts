import { BothSurfaces, type GraphqlCall, type RestCall } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';

const sentence =
  'One administrator of an organization must remain able to sign in without single sign-on, in case its provider fails.';

describe('the last administrator who can sign in without single sign-on', () => {
  let surfaces: BothSurfaces;
  /** Requires single sign-on, so that of the two administrators the other one has the last way in. */
  let caller: Person;
  let last: Person;
  let membership: string;

  beforeAll(async () => {
    surfaces = await BothSurfaces.open();
    const { world } = surfaces;
    last = world.admin;
    caller = await world.person({ organizationId: world.organization.id, role: 'admin' });
    await surfaces.read(['patch', `/organizations/acme/members/${caller.id}`, { sso_mode: 'required' }], last);
    const row = await world.services.db
      .selectFrom('organization_members')
      .select('id')
      .where('userId', '=', last.id)
      .executeTakeFirstOrThrow();
    membership = row.id;
  });
  afterAll(() => surfaces.close());

  const path = () => `/organizations/acme/members/${last.id}`;
  const update = (fields: string): GraphqlCall => [
    `mutation ($id: ID!) { organizationMemberUpdate(input: { id: $id, ${fields} }) { organizationMember { id } } }`,
    { id: membership },
  ];
  const remove = 'mutation ($id: ID!) { organizationMemberDelete(input: { id: $id }) { deletedOrganizationMemberID } }';

  test.each<[string, () => RestCall, () => GraphqlCall]>([
    [
      'be required to use it',
      () => ['patch', path(), { sso_mode: 'required' }],
      () => update('sso: { mode: REQUIRED }'),
    ],
    ['become a member', () => ['patch', path(), { role: 'member' }], () => update('role: MEMBER')],
    ['be removed', () => ['delete', path()], () => [remove, { id: membership }]],
  ])('cannot %s, by REST or by GraphQL', async (_what, rest, graphql) => {
    const { status, body } = await surfaces.rest(rest(), caller);
    expect([status, body]).toEqual([422, { message: sentence }]);
    const { errors } = await surfaces.graphql(graphql(), caller);
    expect(errors?.[0]).toMatchObject({ message: sentence, extensions: { code: 'CONFLICT' } });
  });

  test('can, once another administrator has a way in', async () => {
    const { world } = surfaces;
    await world.person({ organizationId: world.organization.id, role: 'admin' });
    await surfaces.read(['patch', path(), { sso_mode: 'required' }], caller);
    const member = await surfaces.select(update('role: MEMBER'), caller);
    expect(member.organizationMemberUpdate.organizationMember.id).toEqual(expect.any(String));
  });
});
