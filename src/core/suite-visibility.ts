import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../entities/database.js';
import type { SuiteAccess } from '../entities/organizations/team-suite.js';
import { withinMembership } from './membership.js';

/**
 * Decides access to a suite, as a condition on a query over `suites as s`: `read` for its runs and tests, `edit` also
 * to change it and them and to see its token. Reads, lists, runs and changes all use it, so that they cannot disagree.
 * Administrators have all access. So has every member while teams are off; with teams, members have the access of
 * their teams, and without one the suite is hidden from them.
 */
export function suiteIsAccessible(actor: Actor, access: SuiteAccess) {
  return (eb: ExpressionBuilder<Database & { s: Database['suites'] }, 's'>): Expression<SqlBool> => {
    if (actor.kind === 'suite') return eb('s.id', '=', actor.suiteId);
    const within = withinMembership(actor, 's.organizationId');
    if (actor.kind !== 'user') return within;
    const withoutTeams = eb.exists(
      eb
        .selectFrom('organizations as o')
        .select('o.id')
        .whereRef('o.id', '=', 's.organizationId')
        .where('o.teamsEnabled', '=', false),
    );
    const throughTeam = eb
      .selectFrom('team_suites as ts')
      .innerJoin('team_members as tm', 'tm.teamId', 'ts.teamId')
      .select('ts.id')
      .whereRef('ts.suiteId', '=', 's.id')
      .where('tm.userId', '=', actor.userId);
    // Who may edit may read, whether or not the list says so.
    const strongEnough =
      access === 'edit' ? throughTeam.where(sql<SqlBool>`'edit' = any(ts.access_level)`) : throughTeam;
    return eb.and([
      within,
      eb.or([withinMembership(actor, 's.organizationId', 'admin'), withoutTeams, eb.exists(strongEnough)]),
    ]);
  };
}
