import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { Row } from '../../entities/database.js';
import { findOrganization } from '../find.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { oneOf, text } from '../text.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';
import { teamIsVisible } from './visibility.js';

/** A team membership with the name it is ordered by; user and team come through the loaders. */
export type TeamMember = Row<'team_members'> & { sortName: string };

const ordering = (order: string, column: 'u.name' | 't.name'): Ordering<TeamMember> =>
  order === 'recently_created' ? newestFirst('m.id') : { column, id: 'm.id', direction: 'asc', key: (row) => row.sortName, type: 'text' };

/**
 * The members of a team (api-v2.md, Team members), or with `user` the memberships of one person in the teams of an
 * organization that the caller may see. `search` is part of a person's name or e-mail address.
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
  run: async (context, { user, search, role, order, paging: asked }, subject): Promise<Page<TeamMember>> => {
    let query = context.db.selectFrom('team_members as m').innerJoin('users as u', 'u.id', 'm.userId').innerJoin('teams as t', 't.id', 'm.teamId').selectAll('m').where(teamIsVisible(context.actor));
    if ('team' in subject) query = query.where('m.teamId', '=', subject.team.id);
    else query = query.where('m.organizationId', '=', subject.organization.id).where('m.userId', '=', user?.id ?? null);
    if (search) query = query.where((eb) => eb.or([contains('u.name', search), contains('u.email', search)]));
    if (role && role.length > 0) query = query.where('m.role', 'in', role);
    const column = 'team' in subject ? 'u.name' : 't.name';
    return paginate<TeamMember>(context.db, query.select(`${column} as sortName`), ordering(order, column), asked);
  },
});
