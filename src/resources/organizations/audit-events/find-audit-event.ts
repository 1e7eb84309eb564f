import { type Expression, type SelectQueryBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { auditEventType, madeBy, provisioning } from '../../../domain/organizations/audit/audit-type.js';
import type { AuditEventType } from '../../../domain/organizations/audit/wire-words.js';
import { idFromEither } from '../../../domain/node-id.js';
import type { AuditEventRow, Database } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { organizationOf } from '../../../core/find-in-organization.js';
import type { OrganizationSubject } from '../../../core/subject.js';

export interface AuditEventSubject extends OrganizationSubject {
  auditEvent: AuditEventRow;
}

/** `worded`: only events that GraphQL's `type` has a value for. */
export const auditEventInput = z.object({ auditEvent: inOrganization, worded: z.boolean().default(false) });

/** Finds an audit event by uuid or node id in an organization that the caller is a member of. */
export async function findAuditEvent(
  context: Context,
  { auditEvent: address, worded }: z.output<typeof auditEventInput>,
): Promise<AuditEventSubject | null> {
  const id = idFromEither(address.id, ['AuditEvent']);
  const row =
    id === null
      ? undefined
      : await context.db.selectFrom('audit_events').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row || row.organizationId === null || (worded && wordOf(row) === null)) return null;
  const organization = await organizationOf(
    context,
    { organizationId: row.organizationId },
    'organization' in address ? address.organization : undefined,
  );
  return organization && { organization, auditEvent: row };
}

/** Fields of a row that decide its GraphQL type. */
export function factOf({ operation, subject, data }: Pick<AuditEventRow, 'operation' | 'subject' | 'data'>) {
  const action = data?.['action'];
  return { operation, subject, action: typeof action === 'string' ? action : null };
}

/** GraphQL type of a row; null if there is none. */
export const wordOf = (row: Pick<AuditEventRow, 'operation' | 'subject' | 'data'>): AuditEventType | null =>
  auditEventType(factOf(row));

type AuditQuery = SelectQueryBuilder<Database & { a: Database['audit_events'] }, 'a', AuditEventRow>;

/** Restricts a query over `audit_events as a` to these types. */
export function ofTypes(query: AuditQuery, types: readonly AuditEventType[]): AuditQuery {
  const { operations, provisioned } = madeBy(types);
  const done: Expression<SqlBool>[] = provisioned.map(
    ({ subject, action }) => sql<SqlBool>`(a.subject = ${subject} and a.data->>'action' = ${action})`,
  );
  return query.where((eb) => {
    const performed = operations.length > 0 ? [eb('a.operation', 'in', operations)] : [];
    const applied = done.length > 0 ? [eb.and([eb('a.operation', '=', provisioning), eb.or(done)])] : [];
    return performed.length + applied.length > 0 ? eb.or([...performed, ...applied]) : eb.lit(false);
  });
}
