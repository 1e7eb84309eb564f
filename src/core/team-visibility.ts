import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { Actor } from '../auth/actor.js';
import type { Database } from '../entities/database.js';

/**
 * Condition on a query over `teams as t`, within visible organizations: secret teams are visible to administrators and
 * their own members only.
 */
export function teamIsVisible(actor: Actor) {
  return (eb: ExpressionBuilder<Database & { t: Database['teams'] }, 't'>): Expression<SqlBool> => {
    if (actor.kind === 'system') return eb.lit(true);
    if (actor.kind !== 'user') return eb.lit(false);
    const administered = [...actor.roles].filter(([, role]) => role === 'admin').map(([id]) => id);
    const own = eb.exists(
      eb
        .selectFrom('team_members as own')
        .select('own.id')
        .whereRef('own.teamId', '=', 't.id')
        .where('own.userId', '=', actor.userId),
    );
    const conditions = [eb('t.privacy', '=', 'visible'), own];
    return eb.or(administered.length > 0 ? [...conditions, eb('t.organizationId', 'in', administered)] : conditions);
  };
}
