import { z } from 'zod';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { text } from '../text.js';
import { teamRole } from './fields.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';
import { requireTeamManager } from './manage.js';
import { recordTeam } from './record.js';
import type { TeamMemberSubject } from './team-member.js';

const input = z
  .object({
    team: teamAddress,
    /** Uuid or node id of a member of the organization. */
    userId: text(300),
    role: teamRole.nullish(),
    /** Take the team's default role where none is given; /v2 requires one. */
    useDefaults: z.boolean().default(false),
  })
  .check(({ value, issues }) => {
    if (value.role == null && !value.useDefaults) issues.push({ code: 'custom', input: undefined, path: ['role'], message: 'missing' });
  });

/**
 * Takes a member of the organization into a team (api-v2.md, Team members); for administrators and the team's
 * maintainers. Refuses whoever is no member of the organization, or of the team already.
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
  run: async (context, given, { organization, team }: TeamSubject): Promise<TeamMemberSubject> => {
    await requireTeamManager(context, team);
    const id = idFromEither(given.userId, ['User']);
    // A share of the lock: whoever is leaving the organization leaves its teams too.
    const member = id && (await context.db.selectFrom('organization_members').select('userId').where('organizationId', '=', organization.id).where('userId', '=', id).forKeyShare().executeTakeFirst());
    if (!member) throw invalidField('userId', 'is not a member of the organization');
    const teamMember = await context.db
      .insertInto('team_members')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        teamId: team.id,
        userId: member.userId,
        role: given.role ?? team.defaultMemberRole,
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
