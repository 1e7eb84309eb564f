import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import { type Check, defineCheck, findingOf, firstId, ofOrganization, pageOf } from './check.js';

const atOnce = 500;

interface RepeatedAudit {
  id: string;
  organizationId: string | null;
  operation: string;
  subjectId: string;
  requestId: string;
  first: string;
  isRepeated: boolean;
}

/**
 * Audit rows after an id, and of each the first row that says the same of the same moment. One request may do the same
 * to one thing twice, but not in one transaction, and so not at the same time.
 */
function auditRows(db: Db, condition: ReturnType<typeof sql>) {
  return sql<RepeatedAudit>`
    select a.id, a.organization_id, a.operation, a.subject_id, a.request_id, f.id as first,
      f.id is not null as is_repeated
    from audit_events a
    left join lateral (
      select o.id from audit_events o
      where o.organization_id = a.organization_id and o.subject_id = a.subject_id and o.created_at = a.created_at
        and o.operation = a.operation and o.request_id = a.request_id and o.actor_id = a.actor_id
        and o.data is not distinct from a.data and o.id < a.id
      order by o.id limit 1
    ) as f on true
    where ${condition}`.execute(db);
}

/** No privileged change has two audit rows (I18). Rows cannot tell of a change that has none. */
export const auditEvents: Check = defineCheck<RepeatedAudit>({
  name: 'audit',
  page: async ({ db }, after, organizationId) => {
    const { rows } = await auditRows(db, sql`a.id > ${after ?? firstId} order by a.id limit ${atOnce}`);
    return pageOf(
      rows,
      atOnce,
      ofOrganization(rows, organizationId).filter(({ isRepeated }) => isRepeated),
    );
  },
  examine: async ({ db }, { id }, repairs) => {
    const { rows } = await auditRows(db, sql`a.id = ${id}`);
    return rows
      .filter(({ isRepeated }) => isRepeated)
      .map(({ operation, subjectId, requestId, first }) =>
        findingOf(
          {
            promise: 'I18',
            subject: `audit row ${id}: ${operation} of ${subjectId} by request ${requestId}`,
            is: `the same as audit row ${first}`,
            expected: 'one audit row for a change',
            remedy: null,
            advice: 'nothing: an audit log is not changed; the change was made once',
          },
          repairs,
        ),
      );
  },
});
