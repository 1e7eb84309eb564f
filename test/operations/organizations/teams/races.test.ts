import { deleteOrganizationMember } from '../../../../src/operations/organizations/members/delete.js';
import { updateOrganizationMember } from '../../../../src/operations/organizations/members/update.js';
import { deleteTemplate } from '../../../../src/operations/pipelines/templates/delete.js';
import { deletePipeline } from '../../../../src/operations/pipelines/delete.js';
import { updatePipeline } from '../../../../src/operations/pipelines/update.js';
import { createTeamMember } from '../../../../src/operations/organizations/team-members/create.js';
import { createTeamPipeline } from '../../../../src/operations/organizations/team-pipelines/create.js';
import { createTeam } from '../../../../src/operations/organizations/teams/create.js';
import { deleteTeamMember } from '../../../../src/operations/organizations/team-members/delete.js';
import { deleteTeam } from '../../../../src/operations/organizations/teams/delete.js';
import { enableTeams } from '../../../../src/operations/organizations/teams/enable.js';
import { Problem } from '../../../../src/domain/problem.js';
import { type Person, World } from '../../../support/world.js';

/** How each of several calls at once ended: `done`, or the code it was refused with. */
async function atOnce(calls: Promise<unknown>[]): Promise<string[]> {
  return Promise.all(
    calls.map((call) =>
      call.then(
        () => 'done',
        (error: unknown) => {
          if (error instanceof Problem) return error.code;
          throw error;
        },
      ),
    ),
  );
}

const repetitions = [1, 2, 3];

describe('simultaneous changes of teams and their members', () => {
  let world: World;
  beforeAll(async () => void (world = await World.create({ plan: 'enterprise' })));
  afterAll(() => world.close());

  const organization = () => ({ organization: { slug: 'acme' } });
  const newTeam = async (name: string) =>
    (await world.perform(world.admin, createTeam, { ...organization(), name })).team.id as string;
  const rowsOf = async (table: 'team_members' | 'team_pipelines', column: 'teamId' | 'pipelineId', id: string) =>
    world.services.db
      .selectFrom(table as 'team_pipelines')
      .select('id')
      .where(column, '=', id)
      .execute();

  test.each(repetitions)(
    'a template that is deleted and assigned at once is either deleted or assigned (%i)',
    async (round) => {
      const { clock, services } = world;
      const templateId = await world.insert('pipeline_templates', {
        organizationId: world.organization.id,
        name: `T ${round}`,
        configuration: 'steps: []',
        createdById: world.admin.id,
        updatedById: world.admin.id,
        updatedAt: clock.now(),
      });
      const { id } = await world.pipeline('steps: []');
      const assign = () =>
        world.perform(world.admin, updatePipeline, { pipeline: { id }, pipelineTemplateId: templateId });
      const [assigned, deleted] = await atOnce([
        assign(),
        world.perform(world.admin, deleteTemplate, { pipelineTemplate: { id: templateId } }),
      ]);
      expect([
        ['done', 'wrong_state'],
        ['invalid', 'done'],
      ]).toContainEqual([assigned, deleted]);
      const pipeline = await services.db
        .selectFrom('pipelines')
        .select('pipelineTemplateId')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(pipeline.pipelineTemplateId).toBe(assigned === 'done' ? templateId : null);
    },
  );

  test('of ten simultaneous requests to add a person to a team, one succeeds', async () => {
    const teamId = await newTeam('Ten');
    const ended = await atOnce(
      Array.from({ length: 10 }, () =>
        world.perform(world.admin, createTeamMember, { team: { id: teamId }, userId: world.member.id, role: 'member' }),
      ),
    );
    expect(ended.filter((each) => each === 'done')).toHaveLength(1);
    expect(ended.filter((each) => each === 'invalid')).toHaveLength(9);
  });

  test('of ten simultaneous requests to create a team of one name, one succeeds', async () => {
    const ended = await atOnce(Array.from({ length: 10 }, () => newTeam('Only one')));
    expect(ended.filter((each) => each === 'done')).toHaveLength(1);
  });

  test.each(repetitions)('when the last two maintainers leave a team at once, one remains (%i)', async (round) => {
    const teamId = await newTeam(`Pair ${round}`);
    const people: Person[] = [];
    for (const role of ['maintainer', 'maintainer', 'member'] as const) {
      const person = await world.person({ organizationId: world.organization.id });
      await world.perform(world.admin, createTeamMember, { team: { id: teamId }, userId: person.id, role });
      people.push(person);
    }
    const leave = ({ id }: Person) =>
      world.perform(world.admin, deleteTeamMember, { teamMember: { organization: 'acme', team: teamId, to: id } });
    const ended = await atOnce(people.slice(0, 2).map(leave));
    expect(ended.sort()).toEqual(['done', 'wrong_state']);
  });

  test.each(repetitions)('when two administrators remove each other at once, one remains (%i)', async (round) => {
    const organizationId = await world.insert('organizations', { slug: `pair-${round}`, name: 'Pair' });
    const [one, other] = [
      await world.person({ organizationId, role: 'admin' }),
      await world.person({ organizationId, role: 'admin' }),
    ];
    const member = (user: Person) => ({ organizationMember: { organization: `pair-${round}`, user: user.id } });
    await atOnce([
      world.perform(one, deleteOrganizationMember, member(other)),
      world.perform(other, updateOrganizationMember, { ...member(one), role: 'member' }),
    ]);
    const left = await world.services.db
      .selectFrom('organization_members')
      .select('role')
      .where('organizationId', '=', organizationId)
      .where('role', '=', 'admin')
      .execute();
    expect(left).toHaveLength(1);
  });

  test.each(repetitions)(
    'no row refers to a team, pipeline or membership deleted at the same time (%i)',
    async (round) => {
      const teamId = await newTeam(`Gone ${round}`);
      const { id: pipelineId } = await world.pipeline('steps: []');
      const person = await world.person({ organizationId: world.organization.id });
      await atOnce([
        world.perform(world.admin, createTeamPipeline, { team: { id: teamId }, pipelineId }),
        world.perform(world.admin, deletePipeline, { pipeline: { id: pipelineId } }),
        world.perform(world.admin, createTeamMember, { team: { id: teamId }, userId: person.id, role: 'member' }),
        world.perform(world.admin, deleteOrganizationMember, {
          organizationMember: { organization: 'acme', user: person.id },
        }),
      ]);
      expect(await rowsOf('team_pipelines', 'pipelineId', pipelineId)).toEqual([]);
      expect(await rowsOf('team_members', 'teamId', teamId)).toEqual([]);
      const { id: kept } = await world.pipeline('steps: []');
      await atOnce([
        world.perform(world.admin, deleteTeam, { team: { id: teamId } }),
        world.perform(world.admin, createTeamPipeline, { team: { id: teamId }, pipelineId: kept }),
      ]);
      expect(await rowsOf('team_pipelines', 'teamId', teamId)).toEqual([]);
    },
  );

  test('when two administrators enable teams at once, one default team contains every member once', async () => {
    const organizationId = await world.insert('organizations', { slug: 'fresh', name: 'Fresh' });
    const [one, other] = [
      await world.person({ organizationId, role: 'admin' }),
      await world.person({ organizationId, role: 'admin' }),
    ];
    const enable = (person: Person) => world.perform(person, enableTeams, { organization: { slug: 'fresh' } });
    expect(await atOnce([enable(one), enable(other)])).toEqual(['done', 'done']);
    const { db } = world.services;
    expect(
      await db
        .selectFrom('teams')
        .select(['slug', 'name', 'isDefault'])
        .where('organizationId', '=', organizationId)
        .execute(),
    ).toEqual([{ slug: 'everyone', name: 'Everyone', isDefault: true }]);
    expect(
      (await db.selectFrom('team_members').select('userId').where('organizationId', '=', organizationId).execute())
        .map(({ userId }) => userId)
        .sort(),
    ).toEqual([one.id, other.id].sort());
    expect((await enable(one)).organization).toMatchObject({ teamsEnabled: true });
  });
});
