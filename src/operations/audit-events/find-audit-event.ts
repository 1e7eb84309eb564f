import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { auditEventType, madeBy, provisioning } from '../../domain/audit/audit-type.js';
import type { AuditEventType } from '../../domain/audit/wire-words.js';
import { idFromEither } from '../../domain/node-id.js';
import type { AuditEventRow, Database } from '../../entities/database.js';
import { inOrganization } from '../address.js';
import { organizationOf } from '../find-in-organization.js';
import type { OrganizationSubject } from '../subject.js';

export interface AuditEventSubject extends OrganizationSubject {
  auditEvent: AuditEventRow;
}

/** `worded`: only one that the wire has a word for, since GraphQL's `type` has no other values. */
export const auditEventInput = z.object({ auditEvent: inOrganization, worded: z.boolean().default(false) });

/** The audit event a caller names by uuid or node id, inside an organization the caller is a member of. */
export async function findAuditEvent(context: Context, { auditEvent: address, worded }: z.output<typeof auditEventInput>): Promise<AuditEventSubject | null> {
  const id = idFromEither(address.id, ['AuditEvent']);
  const row = id === null ? undefined : await context.db.selectFrom('audit_events').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || row.organizationId === null || (worded && wordOf(row) === null)) return null;
  const organization = await organizationOf(context, { organizationId: row.organizationId }, 'organization' in address ? address.organization : undefined);
  return organization && { organization, auditEvent: row };
}

/** What a row says was done, as far as the wire's words depend on it. */
export function factOf({ operation, subject, data }: Pick<AuditEventRow, 'operation' | 'subject' | 'data'>) {
  const action = data?.['action'];
  return { operation, subject, action: typeof action === 'string' ? action : null };
}

/** The wire's word for a row; null where it has none. */
export const wordOf = (row: Pick<AuditEventRow, 'operation' | 'subject' | 'data'>): AuditEventType | null => auditEventType(factOf(row));

type AuditQuery = SelectQueryBuilder<Database & { a: Database['audit_events'] }, 'a', AuditEventRow>;

/** Narrows a query over `audit_events as a` to what these words stand for. */
export function ofTypes(query: AuditQuery, types: readonly AuditEventType[]): AuditQuery {
  const { operations, provisioned } = madeBy(types);
  const done: Expression<SqlBool>[] = provisioned.map(({ subject, action }) => sql<SqlBool>`(a.subject = ${subject} and a.data->>'action' = ${action})`);
  return query.where((eb) => {
    const performed = operations.length > 0 ? [eb('a.operation', 'in', operations)] : [];
    const applied = done.length > 0 ? [eb.and([eb('a.operation', '=', provisioning), eb.or(done)])] : [];
    return performed.length + applied.length > 0 ? eb.or([...performed, ...applied]) : eb.lit(false);
  });
}
