import { z } from 'zod';
import { nounsOf } from '../../domain/audit/audit-type.js';
import { auditActorTypes, auditEventTypes, auditSubjectTypes } from '../../domain/audit/wire-words.js';
import { limits } from '../../domain/limits.js';
import { decodeNodeId, isUuid } from '../../domain/node-id.js';
import { Problem } from '../../domain/problem.js';
import { formatTime } from '../../domain/time.js';
import type { AuditEventRow } from '../../entities/database.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import { defaultPaging, type Ordering, type Page, paginate, paging } from '../paging.js';
import type { OrganizationSubject } from '../subject.js';
import { text } from '../text.js';
import { ofTypes } from './find-audit-event.js';

const recentlyOccurred: Ordering<AuditEventRow> = { column: 'a.createdAt', id: 'a.id', direction: 'desc', key: (row) => formatTime(row.createdAt), type: 'timestamptz' };

const words = z.array(text(limits.filterLength)).max(limits.filterValues, `has more than ${limits.filterValues} values`).nullish();

/**
 * The privileged changes of an organization, newest first (rest-facts 3.7, audit_events); administrators only. Actors
 * and subjects are named by uuid or node id, types in either case. `worded`: only what the wire has a word for.
 */
export const listAuditEvents = defineOperation({
  name: 'audit-event.list',
  summary: 'Lists the audit events of an organization, newest first.',
  kind: 'query',
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
    /** A second narrowing of the same kind: only what both name. */
    subjectUuids: words,
    subjectTypes: words,
    occurredFrom: z.date().nullish(),
    occurredTo: z.date().nullish(),
    worded: z.boolean().default(false),
    paging: paging.default(defaultPaging),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, asked, { organization }: OrganizationSubject): Promise<Page<AuditEventRow>> => {
    let query = context.db.selectFrom('audit_events as a').selectAll('a').where('a.organizationId', '=', organization.id);
    const { operations, actors, subjects, subjectUuids, occurredFrom, occurredTo } = asked;
    const types = known('type', asked.types, auditEventTypes) ?? (asked.worded ? auditEventTypes : null);
    const actorTypes = known('actor_type', asked.actorTypes, auditActorTypes);
    const subjectTypes = known('subject_type', asked.subjectTypes, auditSubjectTypes);
    if (types) query = ofTypes(query, types);
    if (operations) query = query.where('a.operation', 'in', nonEmpty(operations));
    if (actors) query = query.where('a.actorId', 'in', idsOf(actors));
    if (actorTypes) query = query.where('a.actorType', 'in', nonEmpty(actorTypes) as ('user' | 'agent')[]);
    if (subjects) query = query.where('a.subjectId', 'in', idsOf(subjects));
    if (subjectUuids) query = query.where('a.subjectId', 'in', idsOf(subjectUuids));
    if (subjectTypes) query = query.where('a.subject', 'in', nonEmpty(nounsOf(subjectTypes)));
    if (occurredFrom) query = query.where('a.createdAt', '>=', occurredFrom);
    if (occurredTo) query = query.where('a.createdAt', '<', occurredTo);
    return paginate(context.db, query, recentlyOccurred, asked.paging);
  },
});

function known<const Words extends readonly string[]>(parameter: string, given: readonly string[] | null | undefined, of: Words): Words[number][] | null {
  if (!given) return null;
  const unknown = given.find((word) => !of.includes(word.toLowerCase()));
  if (unknown !== undefined) throw new Problem('malformed', `The ${parameter} parameter does not know ${unknown}`);
  return given.map((word) => word.toLowerCase());
}

const nobody = '00000000-0000-0000-0000-000000000000';
const nonEmpty = (values: readonly string[]): string[] => (values.length > 0 ? [...values] : ['']);

/** What is no id names nothing. */
function idsOf(given: readonly string[]): string[] {
  const ids = given.flatMap((id) => (isUuid(id) ? id.toLowerCase() : (decodeNodeId(id)?.uuid ?? [])));
  return ids.length > 0 ? ids : [nobody];
}
