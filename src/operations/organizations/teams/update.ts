import { z } from 'zod';
import type { TeamRow } from '../../../entities/database.js';
import { defineOperation } from '../../../core/operation.js';
import { teamColumns, teamFields, teamName } from '../../../resources/organizations/teams/fields.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';

/**
 * Updates the fields present in the request. The slug stays when the name changes: block steps, filters and the
 * provisioning file refer to the team by it.
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
  run: async (context, request, { organization, team: before }: TeamSubject): Promise<TeamSubject> => {
    const columns = { ...(request.name === undefined ? {} : { name: request.name }), ...teamColumns(request) };
    const changed = Object.keys(columns).filter(
      (column) => before[column as keyof TeamRow] !== columns[column as keyof typeof columns],
    );
    const team =
      changed.length === 0
        ? before
        : await context.db
            .updateTable('teams')
            .set(columns)
            .where('id', '=', before.id)
            .returningAll()
            .executeTakeFirstOrThrow();
    recordTeam(context, team, 'team.update', { changed });
    return { organization, team };
  },
});
