import { z } from 'zod';
import type { TeamRow } from '../../entities/database.js';
import { defineOperation } from '../operation.js';
import { teamColumns, teamFields, teamName } from './fields.js';
import { findTeam, teamAddress, type TeamSubject } from './find-team.js';
import { recordTeam } from './record.js';

/**
 * Changes what is given of a team and leaves the rest (rest-facts 3.5). Its slug stays, whatever its name becomes:
 * block steps, filters and the provisioning file know the team by it.
 */
export const updateTeam = defineOperation({
  name: 'team.update',
  summary: 'Updates a team.',
  kind: 'command',
  scope: 'write_teams',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ team: teamAddress, name: teamName.optional(), ...teamFields }),
  subject: (context, { team }) => findTeam(context, team, { lock: true }),
  run: async (context, given, { organization, team: before }: TeamSubject): Promise<TeamSubject> => {
    const columns = { ...(given.name === undefined ? {} : { name: given.name }), ...teamColumns(given) };
    const changed = Object.keys(columns).filter((column) => before[column as keyof TeamRow] !== columns[column as keyof typeof columns]);
    const team =
      changed.length === 0 ? before : await context.db.updateTable('teams').set(columns).where('id', '=', before.id).returningAll().executeTakeFirstOrThrow();
    recordTeam(context, team, 'team.update', { changed });
    return { organization, team };
  },
});
