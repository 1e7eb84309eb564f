import { z } from 'zod';
import { defineOperation } from '../../../core/operation.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';

/** Returns one team, by slug, uuid or node id; a secret team only to its members and administrators. */
export const getTeam = defineOperation({
  name: 'team.get',
  summary: 'Returns one team.',
  kind: 'query',
  scope: 'read_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({ team: teamAddress }),
  subject: (context, { team }) => findTeam(context, team),
  run: async (_context, _input, subject: TeamSubject) => subject,
});
