import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import type { Row } from '../../entities/database.js';
import { contains } from '../matching.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, newestFirst, type Ordering, type Page, paginate, paging } from '../paging.js';
import { oneOf, text } from '../text.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';

/** A team membership with the name it is ordered by; the user comes through `context.load.user`. */
export type TeamMember = Row<'team_members'> & { userName: string };

const byName: Ordering<TeamMember> = { column: 'u.name', id: 'm.id', direction: 'asc', key: (row) => row.userName, type: 'text' };

/** The members of a team; `search` is part of a name or e-mail address. */
export const listTeamMembers = defineOperation({
  name: 'team-member.list',
  summary: 'Lists the members of a team.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress,
    search: text(limits.filterLength).nullish(),
    role: z.array(oneOf(['member', 'maintainer'])).nullish(),
    order: oneOf(['recently_created', 'name', 'relevance']).default('recently_created'),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { team }) => findTeam(context, team),
  run: async (context, { search, role, order, paging: asked }, { team }: TeamSubject): Promise<Page<TeamMember>> => {
    let query = context.db.selectFrom('team_members as m').innerJoin('users as u', 'u.id', 'm.userId').selectAll('m').select('u.name as userName').where('m.teamId', '=', team.id);
    if (search) query = query.where((eb) => eb.or([contains('u.name', search), contains('u.email', search)]));
    if (role && role.length > 0) query = query.where('m.role', 'in', role);
    return paginate<TeamMember>(context.db, query, order === 'recently_created' ? newestFirst('m.id') : byName, asked);
  },
});
