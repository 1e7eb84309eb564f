import { z } from 'zod';
import type { Row } from '../../entities/database.js';
import { isId } from '../address.js';
import { defineOperation } from '../operation.js';
import { findTeam, type TeamSubject } from './find-team.js';

/** One membership of a team the caller may see. */
export const getTeamMember = defineOperation({
  name: 'team-member.get',
  summary: 'Returns one member of a team.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ id: z.string().max(300) }),
  subject: async (context, { id }): Promise<(TeamSubject & { member: Row<'team_members'> }) | null> => {
    const member = isId(id) ? await context.load.teamMember.load(id) : null;
    const found = member && (await findTeam(context, { id: member.teamId }));
    return member && found ? { ...found, member } : null;
  },
  run: async (_context, _input, { member }): Promise<Row<'team_members'>> => member,
});
