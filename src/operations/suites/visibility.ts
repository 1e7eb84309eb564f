import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Actor } from '../../auth/actor.js';
import type { Database } from '../../entities/database.js';
import { withinMembership } from '../membership.js';

/** What somebody may do with a suite: see its runs, or also change it and its tests. */
export type SuiteAccess = 'read' | 'edit';

/**
 * THE rule who may do what with a suite, as a condition on a query over `suites as s`: single reads, lists, runs and
 * changes all ask it, so that they can never disagree. A suite's members are those of its organization.
 */
export function suiteIsAccessible(actor: Actor, _access: SuiteAccess) {
  return (eb: ExpressionBuilder<Database & { s: Database['suites'] }, 's'>): Expression<SqlBool> => {
    if (actor.kind === 'suite') return eb('s.id', '=', actor.suiteId);
    return eb.and([withinMembership(actor, 's.organizationId')]);
  };
}
