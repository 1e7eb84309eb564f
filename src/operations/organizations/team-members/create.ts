import { z } from 'zod';
import { idFromEither } from '../../../domain/node-id.js';
import { invalidField } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { text } from '../../../domain/input-text.js';
import { teamRole } from '../../../resources/organizations/teams/fields.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { requireTeamManager } from '../../../resources/organizations/teams/manage.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import type { TeamMemberSubject } from '../../../resources/organizations/teams/team-member.js';

const input = z
  .object({
    team: teamAddress,
    /** Uuid or node id of a member of the organization. */
    userId: text(300),
    role: teamRole.nullish(),
    /** Default to the team's default role; /v2 requires one. */
    useDefaults: z.boolean().default(false),
  })
  .check(({ value, issues }) => {
    if (value.role == null && !value.useDefaults)
      issues.push({ code: 'custom', input: undefined, path: ['role'], message: 'missing' });
  });

/**
 * Adds a member of the organization to a team; for administrators and the team's maintainers. Refuses users outside the
 * organization and members of the team.
 */
export const createTeamMember = defineOperation({
  name: 'team-member.create',
  summary: 'Adds a member to a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input,
  subject: (context, { team }) => findTeam(context, team, { lock: true }),
  permit: (context, { team }) => requireTeamManager(context, team),
  run: async (context, request, { organization, team }: TeamSubject): Promise<TeamMemberSubject> => {
    const id = idFromEither(request.userId, ['User']);
    // A shared lock, because a member who leaves the organization leaves its teams too.
    const member =
      id &&
      (await context.db
        .selectFrom('organization_members')
        .select('userId')
        .where('organizationId', '=', organization.id)
        .where('userId', '=', id)
        .forKeyShare()
        .executeTakeFirst());
    if (!member) throw invalidField('userId', 'is not a member of the organization');
    const teamMember = await context.db
      .insertInto('team_members')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        teamId: team.id,
        userId: member.userId,
        role: request.role ?? team.defaultMemberRole,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!teamMember) throw invalidField('userId', 'has already been added to the team');
    recordTeam(context, team, 'team-member.create', { user_id: teamMember.userId, role: teamMember.role });
    return { organization, team, teamMember };
  },
});
