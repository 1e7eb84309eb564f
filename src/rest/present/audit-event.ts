import type { Context } from '../../context.js';
import { auditNoun, auditSubjectType, classForm } from '../../domain/audit/audit-type.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { AuditEventRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { factOf, wordOf } from '../../operations/audit-events/find-audit-event.js';
import { Urls } from './urls.js';
import { existing } from './values.js';

/** A privileged change (rest-facts 3.7, audit_events), with the operation that made it: one for which the wire has no word is known by that. */
export async function presentAuditEvent(context: Context, row: AuditEventRow): Promise<JsonObject> {
  const organization = existing(await loadOrNull(context.load.organization, row.organizationId), 'an organization');
  return {
    uuid: row.id,
    graphql_id: encodeNodeId('AuditEvent', row.id),
    type: `${classForm(wordOf(row) ?? row.operation)}Event`,
    operation: row.operation,
    occurred_at: formatTime(row.createdAt),
    actor: await presentActor(context, row),
    subject: presentSubject(row),
    context: presentContext(row),
    data: row.data ?? {},
    url: `${Urls.of(context).organization(organization).api}/audit_events/${row.id}`,
  };
}

/** Null for what the service did itself. */
async function presentActor(context: Context, { actorType, actorId }: AuditEventRow): Promise<JsonObject | null> {
  if (actorId === null || actorType === 'system') return null;
  const actor = await (actorType === 'user' ? context.load.user : context.load.agent).load(actorId);
  return { type: classForm(actorType), uuid: actorId, name: actor?.name ?? null };
}

function presentSubject(row: AuditEventRow): JsonObject | null {
  if (row.subject === null || row.subjectId === null) return null;
  return { type: classForm(auditSubjectType(factOf(row)) ?? auditNoun(factOf(row)) ?? ''), uuid: row.subjectId, name: row.subjectName };
}

function presentContext(row: AuditEventRow): JsonObject | null {
  if (row.apiTokenId === null) return null;
  return { type: 'APIContext', request_ip: row.ipAddress, request_user_agent: row.userAgent, request_api_access_token_uuid: row.apiTokenId };
}
