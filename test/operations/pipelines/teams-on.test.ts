import { archivePipeline } from '../../../src/operations/pipelines/archive.js';
import { createPipeline } from '../../../src/operations/pipelines/create.js';
import { deletePipeline } from '../../../src/operations/pipelines/delete.js';
import { getPipeline } from '../../../src/operations/pipelines/get.js';
import { listPipelineTeams } from '../../../src/operations/pipelines/list-teams.js';
import { listPipelines } from '../../../src/operations/pipelines/list.js';
import { updatePipeline } from '../../../src/operations/pipelines/update.js';
import type { PipelineAccessLevel } from '../../../src/entities/organizations/team-pipeline.js';
import { listTeamPipelines } from '../../../src/operations/organizations/team-pipelines/list.js';
import { refusal } from '../../support/refusal.js';
import { type Person, World } from '../../support/world.js';

describe('pipelines where teams are enabled', () => {
  let world: World;
  const teams: Record<'mine' | 'other' | 'secret' | 'closed' | 'kept', string> = {
    mine: '',
    other: '',
    secret: '',
    closed: '',
    kept: '',
  };
  beforeAll(async () => {
    world = await World.create({ teamsEnabled: true });
    const organizationId = world.organization.id;
    const team = async (slug: string, fields: object = {}) =>
      world.insert('teams', { organizationId, slug, name: slug, ...fields });
    const join = (teamId: string, role: 'member' | 'maintainer') =>
      world.insert('team_members', { organizationId, teamId, userId: world.member.id, role });
    teams.mine = await team('mine');
    teams.other = await team('other');
    teams.secret = await team('secret', { privacy: 'secret' });
    teams.closed = await team('closed', { membersCanCreatePipelines: false });
    teams.kept = await team('kept', { membersCanCreatePipelines: false });
    await join(teams.mine, 'member');
    await join(teams.closed, 'member');
    await join(teams.kept, 'maintainer');
  });
  afterAll(() => world.close());

  let made = 0;
  const create = (person: Person, more: object) => {
    made += 1;
    return world.perform(person, createPipeline, {
      organization: { slug: 'acme' },
      name: `P ${made}`,
      repository: 'https://github.com/acme/app',
      configuration: 'steps: []',
      ...more,
    });
  };
  const refused = async (person: Person, more: object) => (await refusal(create(person, more))).details.fields;
  const links = (pipelineId: string) =>
    world.services.db
      .selectFrom('team_pipelines')
      .select(['teamId', 'accessLevel'])
      .where('pipelineId', '=', pipelineId)
      .orderBy('teamId')
      .execute();

  test('an administrator may name any teams or none [api-v2:lgkbbp,ickpln]', async () => {
    const none = await create(world.admin, {});
    expect([none.level, await links(none.pipeline.id)]).toEqual(['manage_build_and_read', []]);
    const node = Buffer.from(`Team---${teams.secret}`).toString('base64');
    const some = await create(world.admin, { teams: { [teams.other]: 'read_only', [node]: 'build_and_read' } });
    expect(await links(some.pipeline.id)).toEqual(
      [
        { teamId: teams.other, accessLevel: 'read_only' },
        { teamId: teams.secret, accessLevel: 'build_and_read' },
      ].sort((a, b) => (a.teamId < b.teamId ? -1 : 1)),
    );
  });

  test('a member must name teams of their own that may create pipelines [api-v2:lgkbbp,ickpln]', async () => {
    expect(await refused(world.member, {})).toEqual([{ field: 'teams', code: 'missing' }]);
    expect(await refused(world.member, { teams: {} })).toEqual([{ field: 'teams', code: 'missing' }]);
    expect(await refused(world.member, { teams: [] })).toEqual([{ field: 'teams', code: 'missing' }]);
    const given = {
      [teams.mine]: 'read_only',
      [teams.other]: 'read_only',
      [teams.closed]: 'read_only',
      [teams.secret]: 'read_only',
      x: 'read_only',
    };
    expect(await refused(world.member, { teams: given })).toEqual([
      { field: `teams.${teams.other}`, code: 'is not a team you can create pipelines in' },
      { field: `teams.${teams.closed}`, code: 'is not a team you can create pipelines in' },
      { field: `teams.${teams.secret}`, code: 'does not exist' },
      { field: 'teams.x', code: 'does not exist' },
    ]);
    const { pipeline, level } = await create(world.member, {
      teams: { [teams.mine]: 'build_and_read', [teams.kept]: 'read_only' },
    });
    expect(level).toBe('build_and_read');
    expect(await links(pipeline.id)).toHaveLength(2);
  });

  test('the deprecated list of team UUIDs gives full access [api-v2:lgkbbp,imajhi]', async () => {
    const { pipeline, level } = await create(world.member, { teamUuids: [teams.mine] });
    expect([level, await links(pipeline.id)]).toEqual([
      'manage_build_and_read',
      [{ teamId: teams.mine, accessLevel: 'manage_build_and_read' }],
    ]);
    expect(await refused(world.member, { teamUuids: [teams.other] })).toEqual([
      { field: 'teamUuids.0', code: 'is not a team you can create pipelines in' },
    ]);
    expect(await refused(world.admin, { teamUuids: [world.admin.id] })).toEqual([
      { field: 'teamUuids.0', code: 'does not exist' },
    ]);
  });

  test('an unknown access level is refused', async () => {
    expect(await refused(world.admin, { teams: { [teams.mine]: 'owner' } })).toEqual([
      { field: `teams.${teams.mine}`, code: 'must be one of read_only, build_and_read, manage_build_and_read' },
    ]);
  });

  const operations = [
    ['read', getPipeline, {}],
    ['update', updatePipeline, { description: 'x' }],
    ['archive', archivePipeline, {}],
    ['delete', deletePipeline, {}],
  ] as const;
  const outcomes: Record<string, PipelineAccessLevel | 'none'> = {
    none: 'none',
    read_only: 'read_only',
    build_and_read: 'build_and_read',
    manage_build_and_read: 'manage_build_and_read',
  };

  test.each(Object.values(outcomes))(
    'a member whose teams have the access level %s may do what that level allows',
    async (level) => {
      for (const [verb, operation, more] of operations) {
        const { pipeline } = await create(world.admin, level === 'none' ? {} : { teams: { [teams.mine]: level } });
        const attempt = world.perform(world.member, operation, { pipeline: { id: pipeline.id }, ...more });
        if (level === 'none') expect(await refusal(attempt)).toMatchObject({ code: 'not_found', message: 'Not Found' });
        else if (verb === 'read' || level === 'manage_build_and_read') expect(await attempt).toMatchObject({ level });
        else expect(await refusal(attempt)).toMatchObject({ code: 'forbidden', message: 'Forbidden' });
      }
    },
  );

  test('the list contains the pipelines that the caller could read one by one, public ones included', async () => {
    const hidden = (await create(world.admin, {})).pipeline;
    const open = (await create(world.admin, { visibility: 'public' })).pipeline;
    const own = (await create(world.member, { teams: { [teams.mine]: 'read_only' } })).pipeline;
    const ids = async (person: Person, more: object = {}) =>
      (
        await world.perform(person, listPipelines, { organization: { slug: 'acme' }, ...more, paging: { first: 500 } })
      ).rows.map((row: { id: string }) => row.id);
    const seen = await ids(world.member);
    expect([hidden, open, own].map(({ id }) => seen.includes(id))).toEqual([false, true, true]);
    expect(await ids(world.admin)).toEqual(expect.arrayContaining([hidden.id, open.id, own.id]));
    expect(await ids(world.member, { teamSlug: 'mine' })).toContain(own.id);
    expect(await ids(world.member, { teamSlug: '!mine' })).not.toContain(own.id);
    expect(
      await world.perform(world.outsider, getPipeline, { pipeline: { organization: 'acme', slug: open.slug } }),
    ).toMatchObject({ level: 'read_only' });
  });

  test('links between teams and pipelines are listed from either side, without hidden teams or pipelines', async () => {
    const { pipeline } = await create(world.admin, {
      name: 'Linked',
      teams: { [teams.mine]: 'read_only', [teams.secret]: 'read_only' },
    });
    const { pipeline: unseen } = await create(world.admin, { teams: { [teams.other]: 'read_only' } });
    const ofPipeline = async (person: Person) =>
      (await world.perform(person, listPipelineTeams, { pipeline: { id: pipeline.id }, order: 'name' })).rows.map(
        (row: { teamId: string }) => row.teamId,
      );
    expect([await ofPipeline(world.member), await ofPipeline(world.admin)]).toEqual([
      [teams.mine],
      [teams.mine, teams.secret],
    ]);
    const ofTeam = async (person: Person, slug: string, more: object = {}) =>
      (await world.perform(person, listTeamPipelines, { team: { organization: 'acme', slug }, ...more })).rows.map(
        (row: { pipelineId: string }) => row.pipelineId,
      );
    expect(await ofTeam(world.member, 'mine', { search: 'linked' })).toEqual([pipeline.id]);
    expect(await ofTeam(world.member, 'other')).not.toContain(unseen.id);
    expect(await ofTeam(world.admin, 'other', { order: 'name' })).toContain(unseen.id);
    expect(await refusal(ofTeam(world.member, 'secret'))).toMatchObject({ code: 'not_found' });
  });
});
