import { encodeNodeId } from '../../../src/domain/node-id.js';
import { BothSurfaces, type Data } from '../../support/both-surfaces.js';
import type { Person } from '../../support/world.js';

const all = '/analytics/organizations/acme/suites';
const create =
  'mutation ($input: SuiteCreateInput!) { suiteCreate(input: $input) { suite { uuid teams(first: 10) { edges { node { accessLevel team { slug } } } } } } }';

describe('teams of a new test suite', () => {
  let surfaces: BothSurfaces;
  const teams: Record<string, string> = {};
  beforeAll(async () => {
    surfaces = await BothSurfaces.open({ teamsEnabled: true });
    const { world } = surfaces;
    const organizationId = world.organization.id;
    const team = async (slug: string, role: 'member' | 'maintainer' | null, fields: object = {}) => {
      const teamId = await world.insert('teams', { organizationId, slug, name: slug, ...fields });
      teams[slug] = teamId;
      if (role) await world.insert('team_members', { organizationId, teamId, userId: world.member.id, role });
    };
    await team('mine', 'member');
    await team('closed', 'member', { membersCanCreateSuites: false });
    await team('led', 'maintainer', { membersCanCreateSuites: false });
    await team('other', null);
    await team('secret', null, { privacy: 'secret' });
  });
  afterAll(() => surfaces.close());

  let made = 0;
  const post = (ids: unknown, person?: Person, name = 'team_ids') => {
    made += 1;
    return surfaces.rest(['post', all, { name: `S ${made}`, default_branch: 'main', [name]: ids }], person);
  };
  const teamsOf = async (id: string) => {
    const { node } = await surfaces.select([
      `{ node(id: "${encodeNodeId('Suite', id)}") { ... on Suite { teams(first: 10, order: NAME) { edges { node { accessLevel team { slug } } } } } } }`,
    ]);
    return node.teams.edges.map(({ node: link }: Data) => [link.team.slug, link.accessLevel]);
  };

  test('the teams that a request names may read and edit it, named by UUID or GraphQL ID, once or twice', async () => {
    const { mine = '', other = '' } = teams;
    const { status, body } = await post([mine, encodeNodeId('Team', other), mine]);
    expect(status).toBe(201);
    expect(await teamsOf(body.id)).toEqual([
      ['mine', 'MANAGE_AND_READ'],
      ['other', 'MANAGE_AND_READ'],
    ]);
    expect(await teamsOf((await post([mine], undefined, 'teams_ids')).body.id)).toHaveLength(1);
    for (const none of [[], null, undefined]) expect(await teamsOf((await post(none)).body.id)).toEqual([]);
  });

  test('GraphQL takes them too', async () => {
    const input = { organizationID: surfaces.world.organization.id, name: 'G', defaultBranch: 'main' };
    const { suiteCreate } = await surfaces.select([create, { input: { ...input, teamIds: [teams['mine']] } }]);
    expect(await teamsOf(suiteCreate.suite.uuid)).toEqual([['mine', 'MANAGE_AND_READ']]);
  });

  test('members may name teams that they lead, or belong to where members may create test suites', async () => {
    const { member } = surfaces.world;
    for (const slug of ['mine', 'led']) expect((await post([teams[slug]], member)).status).toBe(201);
    for (const slug of ['closed', 'other'])
      expect(await post([teams[slug]], member)).toMatchObject({
        status: 422,
        body: { message: 'Validation failed: Team ids.0 is not a team you can create test suites in' },
      });
    const absent = { status: 422, body: { message: 'Validation failed: Team ids.0 does not exist' } };
    expect(await post([teams['secret']], member)).toMatchObject(absent);
    expect(await post(['nonsense'])).toMatchObject(absent);
    expect(await post('nonsense')).toMatchObject({
      status: 422,
      body: { message: 'Validation failed: Team ids must be a list of team ids' },
    });
    expect((await post(Array.from({ length: 101 }, () => teams['mine']))).status).toBe(422);
  });

  test('naming teams is refused where teams are not enabled', async () => {
    const { db } = surfaces.world.services;
    await db.updateTable('organizations').set({ teamsEnabled: false }).where('slug', '=', 'acme').execute();
    expect(await post([teams['mine']])).toMatchObject({
      status: 422,
      body: { message: 'Validation failed: Team ids Teams are not enabled for this organization' },
    });
  });
});
