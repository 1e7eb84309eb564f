import { type RawBuilder, sql, type SqlBool } from 'kysely';
import type { Actor } from '../auth/actor.js';

/**
 * Condition on a column with an organization's id: the caller is a member (with `role`, in that role) and the token is
 * valid for it. The rule of `findOrganization`, for lists.
 */
export function withinMembership(actor: Actor, column: string, role?: 'admin'): RawBuilder<SqlBool> {
  if (actor.kind === 'system') return sql<SqlBool>`true`;
  if (actor.kind !== 'user') return sql<SqlBool>`false`;
  const { organizations } = actor;
  const ids = [...actor.roles]
    .filter(([id, own]) => (role === undefined || own === role) && (organizations === 'all' || organizations.has(id)))
    .map(([id]) => id);
  return ids.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`${sql.ref(column)} = any(${sql.val(ids)}::uuid[])`;
}
