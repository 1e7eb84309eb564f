import { createTeam } from '../../../../src/operations/organizations/teams/create.js';
import { applyProvisioning } from '../../../../src/provisioning/apply.js';
import { readProvisioning } from '../../../../src/provisioning/read-file.js';
import { World } from '../../../support/world.js';

describe('a default team', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create()));
  afterAll(() => world.close());

  const apply = () =>
    applyProvisioning(
      world.services,
      readProvisioning(
        `users:
  - {email: new@example.com, name: New}
organizations:
  - slug: acme
    name: Acme Inc
    members:
      - {user: new@example.com, role: member}
`,
        'slipway.yaml',
        {},
      ),
    );

  test("a default team adds each new member of the organization once, with the team's default role", async () => {
    const create = async (name: string, more: object) =>
      (await world.perform(world.admin, createTeam, { organization: { slug: 'acme' }, name, ...more })).team
        .id as string;
    const joined = await create('Joined', { isDefaultTeam: true, defaultMemberRole: 'maintainer' });
    await create('Not joined', {});
    const memberships = async () => world.services.db.selectFrom('team_members').select(['teamId', 'role']).execute();
    expect(await memberships()).toEqual([]);
    await apply();
    expect(await memberships()).toEqual([{ teamId: joined, role: 'maintainer' }]);
    await world.services.db.deleteFrom('team_members').execute();
    await apply();
    expect(await memberships()).toEqual([]);
  });
});
