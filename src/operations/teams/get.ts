import { z } from 'zod';
import { defineOperation } from '../operation.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';

/** One team, by slug, uuid or node id; a secret one for its members and administrators. */
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
