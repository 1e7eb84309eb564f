import { z } from 'zod';
import { idFromEither } from '../../../domain/node-id.js';
import { invalidField } from '../../../domain/problem.js';
import { defineOperation } from '../../../core/operation.js';
import { findTeam, teamAddress, type TeamSubject } from '../../../core/find-team.js';
import { recordTeam } from '../../../resources/organizations/teams/record.js';
import { text } from '../../../domain/input-text.js';
import { suiteAccess } from '../../../resources/organizations/team-suites/fields.js';
import {
  requireSuiteSharer,
  type TeamSuiteSubject,
} from '../../../resources/organizations/team-suites/find-team-suite.js';

/**
 * Gives a team access to a test suite; {@link requireSuiteSharer} checks permission. Refuses a suite of another
 * organization, and a suite that the team already has.
 */
export const createTeamSuite = defineOperation({
  name: 'team-suite.create',
  summary: 'Gives a team access to a test suite.',
  kind: 'command',
  scope: 'write_teams',
  access: 'member',
  refusal: 'sentence',
  input: z.object({
    team: teamAddress,
    /** Uuid or node id. */
    suiteId: text(300),
    accessLevel: suiteAccess,
  }),
  subject: (context, { team }) => findTeam(context, team, { lock: true }),
  // The first time the suite is found in `run`, which asks before it says whether there is one.
  permit: (context, { organization, team, teamSuite }: TeamSubject & Partial<TeamSuiteSubject>) =>
    teamSuite && requireSuiteSharer(context, organization, team, teamSuite.suiteId),
  run: async (context, { suiteId, accessLevel }, { organization, team }: TeamSubject): Promise<TeamSuiteSubject> => {
    const id = idFromEither(suiteId, ['Suite']);
    // A share of the lock: the suite cannot be deleted before it is the team's.
    const suite =
      id &&
      (await context.db
        .selectFrom('suites')
        .select('id')
        .where('organizationId', '=', organization.id)
        .where('id', '=', id)
        .forKeyShare()
        .executeTakeFirst());
    // Checked before the suite is looked up: a caller who may share no suite must not learn which suites exist.
    await requireSuiteSharer(context, organization, team, suite ? suite.id : team.id);
    if (!suite) throw invalidField('suiteId', 'does not exist');
    const teamSuite = await context.db
      .insertInto('team_suites')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        teamId: team.id,
        suiteId: suite.id,
        accessLevel,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!teamSuite) throw invalidField('suiteId', 'has already been added to the team');
    recordTeam(context, team, 'team-suite.create', { suite_id: teamSuite.suiteId, access_level: accessLevel });
    return { organization, team, teamSuite };
  },
});
