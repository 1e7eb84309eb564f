import { getTeam } from '../../../../src/operations/organizations/teams/get.js';
import { listTeamMembers } from '../../../../src/operations/organizations/team-members/list.js';
import { listTeams } from '../../../../src/operations/organizations/teams/list.js';
import { refusal } from '../../../support/refusal.js';
import { type Person, World } from '../../../support/world.js';

describe('teams', () => {
  let world: World;
  const ids: Record<string, string> = {};
  beforeAll(async () => {
    world = await World.create({ teamsEnabled: true });
    const organizationId = world.organization.id;
    for (const [slug, privacy] of [
      ['core', 'visible'],
      ['hidden', 'secret'],
      ['ours', 'secret'],
    ] as const) {
      ids[slug] = await world.insert('teams', { organizationId, slug, name: `The ${slug}`, privacy });
      world.clock.advance(1);
    }
    await world.insert('team_members', {
      organizationId,
      teamId: ids['ours'] as string,
      userId: world.member.id,
      role: 'maintainer',
    });
    await world.insert('team_members', {
      organizationId,
      teamId: ids['ours'] as string,
      userId: world.admin.id,
      role: 'member',
    });
    const pipeline = await world.pipeline('steps: []', { slug: 'app' });
    await world.insert('team_pipelines', {
      organizationId,
      teamId: ids['core'] as string,
      pipelineId: pipeline.id,
      accessLevel: 'read_only',
    });
  });
  afterAll(() => world.close());

  const slugs = async (person: Person, more: object = {}) =>
    (await world.perform(person, listTeams, { organization: { slug: 'acme' }, ...more })).rows.map(
      (row: { slug: string }) => row.slug,
    );

  test('secret teams are shown only to their members and to administrators', async () => {
    expect(await slugs(world.admin)).toEqual(['core', 'hidden', 'ours']);
    expect(await slugs(world.member)).toEqual(['core', 'ours']);
    const get = (person: Person, slug: string) =>
      world.perform(person, getTeam, { team: { organization: 'acme', slug } });
    expect(await get(world.member, 'ours')).toMatchObject({ team: { id: ids['ours'] } });
    expect(await refusal(get(world.member, 'hidden'))).toEqual(await refusal(get(world.member, 'nowhere')));
    expect(await get(world.admin, 'hidden')).toMatchObject({ team: { id: ids['hidden'] } });
  });

  test.each<[string, () => object, string[]]>([
    ['newest first', () => ({ order: 'recently_created' }), ['ours', 'hidden', 'core']],
    ['a part of the name', () => ({ search: 'THE C' }), ['core']],
    ['privacy', () => ({ privacy: ['secret'] }), ['hidden', 'ours']],
    ['a member', () => ({ userId: world.member.id }), ['ours']],
    ['a member, by node id', () => ({ userId: Buffer.from(`User---${world.member.id}`).toString('base64') }), ['ours']],
    ['without a member', () => ({ userId: `!${world.member.id}` }), ['core', 'hidden']],
    ['nobody', () => ({ userId: 'x' }), []],
    ['a pipeline', () => ({ pipelineSlug: 'app' }), ['core']],
    ['without a pipeline', () => ({ pipelineSlug: '!app' }), ['hidden', 'ours']],
  ])('teams are listed and filtered: %s', async (_what, filters, expected) =>
    expect(await slugs(world.admin, filters())).toEqual(expected),
  );

  test('a team is read by UUID or node id, inside the named organization only', async () => {
    const id = ids['core'] as string;
    for (const address of [
      { id },
      { organization: 'acme', id },
      { id: Buffer.from(`Team---${id}`).toString('base64') },
    ]) {
      expect(await world.perform(world.member, getTeam, { team: address })).toMatchObject({ team: { slug: 'core' } });
    }
    for (const address of [{ organization: 'other', id }, { id: 'x' }, { organization: 'nowhere', slug: 'core' }]) {
      expect(await refusal(world.perform(world.member, getTeam, { team: address }))).toMatchObject({
        code: 'not_found',
      });
    }
  });

  test('members of a team are listed with their roles', async () => {
    const members = async (more: object = {}) =>
      (
        await world.perform(world.member, listTeamMembers, {
          team: { organization: 'acme', slug: 'ours' },
          order: 'name',
          ...more,
        })
      ).rows.map((row: { userId: string; role: string }) => [row.userId, row.role]);
    expect(await members()).toEqual([
      [world.admin.id, 'member'],
      [world.member.id, 'maintainer'],
    ]);
    expect(await members({ role: ['maintainer'] })).toEqual([[world.member.id, 'maintainer']]);
    expect(await members({ search: world.admin.email })).toEqual([[world.admin.id, 'member']]);
  });

  test('teams are hidden from strangers and refused to tokens without the scope', async () => {
    for (const [operation, input] of [
      [listTeams, { organization: { slug: 'acme' } }],
      [getTeam, { team: { id: ids['core'] } }],
      [listTeamMembers, { team: { id: ids['core'] } }],
    ] as const) {
      expect(await refusal(world.perform(world.outsider, operation, input))).toMatchObject({
        code: 'not_found',
        message: 'Not Found',
      });
      const person = await world.person({ organizationId: world.organization.id, scopes: ['read_clusters'] });
      expect(await refusal(world.perform(person, operation, input))).toMatchObject({
        code: 'scope_missing',
        details: { scope: 'read_teams' },
      });
    }
  });
});
