import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../entities/database.js';
import { withinMembership } from './membership.js';

/** Rights to a suite: read its runs, or also edit it and its tests. */
export type SuiteAccess = 'read' | 'edit';

/**
 * Decides access to a suite, as a condition on a query over `suites as s`. Reads, lists, runs and changes all use it,
 * so that they cannot disagree. Every member of the organization may see and edit its suites.
 */
export function suiteIsAccessible(actor: Actor, _access: SuiteAccess) {
  return (eb: ExpressionBuilder<Database & { s: Database['suites'] }, 's'>): Expression<SqlBool> => {
    if (actor.kind === 'suite') return eb('s.id', '=', actor.suiteId);
    return eb.and([withinMembership(actor, 's.organizationId')]);
  };
}
