import { z } from 'zod';
import { nounsOf } from '../../../domain/organizations/audit/audit-type.js';
import { auditActorTypes, auditEventTypes, auditSubjectTypes } from '../../../domain/organizations/audit/wire-words.js';
import { limits } from '../../../domain/limits/limits.js';
import { decodeNodeId, isUuid } from '../../../domain/node-id.js';
import { Problem } from '../../../domain/problem.js';
import { formatTime } from '../../../domain/time.js';
import type { AuditEventRow } from '../../../entities/database.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../../../core/paging.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { text } from '../../../domain/input-text.js';
import { ofTypes } from '../../../resources/organizations/audit-events/find-audit-event.js';

const recentlyOccurred: Ordering<AuditEventRow> = {
  column: 'a.createdAt',
  id: 'a.id',
  direction: 'desc',
  key: (row) => formatTime(row.createdAt),
  type: 'timestamptz',
};

const words = z
  .array(text(limits.filterLength))
  .max(limits.filterValues, `has more than ${limits.filterValues} values`)
  .nullish();

/**
 * Lists the audit events of an organization, newest first; administrators only. Actors and subjects are filtered by
 * uuid or node id, types in either case. `worded`: only events that GraphQL has a type for.
 */
export const listAuditEvents = defineOperation({
  name: 'audit-event.list',
  summary: 'Lists the audit events of an organization, newest first.',
  kind: 'query',
  mayLag: true,
  scope: 'read_audit_events',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    types: words,
    operations: words,
    actors: words,
    actorTypes: words,
    subjects: words,
    /** Intersection of two filters of the same kind. */
    subjectUuids: words,
    subjectTypes: words,
    occurredFrom: z.date().nullish(),
    occurredTo: z.date().nullish(),
    worded: z.boolean().default(false),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, { organization }: OrganizationSubject): Promise<Page<AuditEventRow>> => {
    let query = context.db
      .selectFrom('audit_events as a')
      .selectAll('a')
      .where('a.organizationId', '=', organization.id);
    const { operations, actors, subjects, subjectUuids, occurredFrom, occurredTo } = request;
    const types = known('type', request.types, auditEventTypes) ?? (request.worded ? auditEventTypes : null);
    const actorTypes = known('actor_type', request.actorTypes, auditActorTypes);
    const subjectTypes = known('subject_type', request.subjectTypes, auditSubjectTypes);
    if (types) query = ofTypes(query, types);
    if (operations) query = query.where('a.operation', 'in', nonEmpty(operations));
    if (actors) query = query.where('a.actorId', 'in', idsOf(actors));
    if (actorTypes) query = query.where('a.actorType', 'in', nonEmpty(actorTypes) as ('user' | 'agent')[]);
    if (subjects) query = query.where('a.subjectId', 'in', idsOf(subjects));
    if (subjectUuids) query = query.where('a.subjectId', 'in', idsOf(subjectUuids));
    if (subjectTypes) query = query.where('a.subject', 'in', nonEmpty(nounsOf(subjectTypes)));
    if (occurredFrom) query = query.where('a.createdAt', '>=', occurredFrom);
    if (occurredTo) query = query.where('a.createdAt', '<', occurredTo);
    return paginate(context.db, query, recentlyOccurred, request.paging);
  },
});

function known<const Words extends readonly string[]>(
  parameter: string,
  values: readonly string[] | null | undefined,
  of: Words,
): Words[number][] | null {
  if (!values) return null;
  const unknown = values.find((word) => !of.includes(word.toLowerCase()));
  if (unknown !== undefined)
    throw new Problem('malformed', `The ${parameter} parameter has the unknown value ${unknown}`);
  return values.map((word) => word.toLowerCase());
}

const nobody = '00000000-0000-0000-0000-000000000000';
const nonEmpty = (values: readonly string[]): string[] => (values.length > 0 ? [...values] : ['']);

/** Uuids of the values; a value that is no id matches nothing. */
function idsOf(values: readonly string[]): string[] {
  const ids = values.flatMap((id) => (isUuid(id) ? id.toLowerCase() : (decodeNodeId(id)?.uuid ?? [])));
  return ids.length > 0 ? ids : [nobody];
}
