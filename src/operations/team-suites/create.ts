import { z } from 'zod';
import { idFromEither } from '../../domain/node-id.js';
import { invalidField } from '../../domain/problem.js';
import { defineOperation } from '../operation.js';
import { findTeam, teamAddress, type TeamSubject } from '../teams/find-team.js';
import { recordTeam } from '../teams/record.js';
import { text } from '../text.js';
import { suiteAccess } from './fields.js';
import { requireSuiteSharer, type TeamSuiteSubject } from './find-team-suite.js';

/**
 * Gives a team access to a test suite (api-v2.md, Team suites); see {@link requireSuiteSharer} for who may. Refuses a
 * suite that the organization does not have, and one that the team has already.
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
  run: async (context, { suiteId, accessLevel }, { organization, team }: TeamSubject): Promise<TeamSuiteSubject> => {
    const id = idFromEither(suiteId, ['Suite']);
    // A share of the lock: the suite cannot be deleted before it is the team's.
    const suite = id && (await context.db.selectFrom('suites').select('id').where('organizationId', '=', organization.id).where('id', '=', id).forKeyShare().executeTakeFirst());
    // Before it is said whether there is such a suite: who may share none learns nothing of any.
    await requireSuiteSharer(context, organization, team, suite ? suite.id : team.id);
    if (!suite) throw invalidField('suiteId', 'does not exist');
    const teamSuite = await context.db
      .insertInto('team_suites')
      .values({ id: context.newId(), organizationId: organization.id, teamId: team.id, suiteId: suite.id, accessLevel, createdById: context.userId, createdAt: context.now })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!teamSuite) throw invalidField('suiteId', 'has already been added to the team');
    recordTeam(context, team, 'team-suite.create', { suite_id: teamSuite.suiteId, access_level: accessLevel });
    return { organization, team, teamSuite };
  },
});
