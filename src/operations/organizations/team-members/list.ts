import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import type { Row } from '../../../entities/database.js';
import { findOrganization } from '../../../core/find.js';
import { contains } from '../../../core/matching.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { oneOf, text } from '../../../domain/input-text.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { teamIsVisible } from '../../../core/team-visibility.js';

/** A team membership with its sort key; user and team come through the loaders. */
export type TeamMember = Row<'team_members'> & { sortName: string };

const ordering = (order: string, column: 'u.name' | 't.name'): Ordering<TeamMember> =>
  order === 'recently_created'
    ? newestFirst('m.id')
    : { column, id: 'm.id', direction: 'asc', key: (row) => row.sortName, type: 'text' };

/**
 * Lists the members of a team, or with `user` one user's memberships in the teams that the caller may see. `search`:
 * part of a name or e-mail address.
 */
export const listTeamMembers = defineOperation({
  name: 'team-member.list',
  summary: 'Lists the members of a team.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress.optional(),
    user: z.object({ organizationId: z.uuid(), id: z.uuid() }).optional(),
    search: text(limits.filterLength).nullish(),
    role: z.array(oneOf(['member', 'maintainer'])).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: async (context, { team, user }): Promise<TeamSubject | OrganizationSubject | null> => {
    if (team) return findTeam(context, team);
    return user ? findOrganization(context, { id: user.organizationId }) : null;
  },
  run: async (context, { user, search, role, order, paging: page }, subject): Promise<Page<TeamMember>> => {
    let query = context.db
      .selectFrom('team_members as m')
      .innerJoin('users as u', 'u.id', 'm.userId')
      .innerJoin('teams as t', 't.id', 'm.teamId')
      .selectAll('m')
      .where(teamIsVisible(context.actor));
    if ('team' in subject) query = query.where('m.teamId', '=', subject.team.id);
    else query = query.where('m.organizationId', '=', subject.organization.id).where('m.userId', '=', user?.id ?? null);
    if (search) query = query.where((eb) => eb.or([contains('u.name', search), contains('u.email', search)]));
    if (role && role.length > 0) query = query.where('m.role', 'in', role);
    const column = 'team' in subject ? 'u.name' : 't.name';
    return paginate<TeamMember>(context.db, query.select(`${column} as sortName`), ordering(order, column), page);
  },
});
