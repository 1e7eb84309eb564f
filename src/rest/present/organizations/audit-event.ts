import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import { auditNoun, auditSubjectType, classForm } from '../../../domain/organizations/audit/audit-type.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type { AuditEventRow } from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import { factOf, wordOf } from '../../../resources/organizations/audit-events/find-audit-event.js';
import { anything, described, mapOf, nullable, object, text, time, url, uuid } from '../../openapi/schema.js';
import { field, resource } from '../fields.js';
import { Urls } from '../urls.js';
import { existing } from '../values.js';

interface AuditEventSource {
  context: Context;
  event: AuditEventRow;
  organizationUrl: string;
}

const actorSchema = object({
  type: described(text, 'Type of the actor, such as `User`.'),
  uuid: described(uuid, 'ID of the actor.'),
  name: described(nullable(text), 'Name of the actor.'),
});

const subjectSchema = object({
  type: described(text, 'Type of the subject, such as `Pipeline`.'),
  uuid: described(uuid, 'ID of the subject.'),
  name: described(nullable(text), 'Name of the subject.'),
});

const contextSchema = object({
  type: described(text, 'Type of the context: always `APIContext`.'),
  request_ip: described(nullable(text), 'IP address of the request.'),
  request_user_agent: described(nullable(text), '`User-Agent` header of the request.'),
  request_api_access_token_uuid: described(uuid, 'ID of the API token of the request.'),
});

export const auditEventResource = resource<AuditEventSource>({
  uuid: field(uuid, 'ID of the audit event.', ({ event }) => event.id),
  graphql_id: field(
    nullable(text),
    'ID of the audit event in the GraphQL API; null for an event without a type there.',
    ({ event }) => (wordOf(event) === null ? null : encodeNodeId('AuditEvent', event.id)),
  ),
  type: field(
    text,
    'Type of the event, such as `PipelineUpdatedEvent`.',
    ({ event }) => `${classForm(wordOf(event) ?? event.operation)}Event`,
  ),
  operation: field(
    text,
    'Name of the operation that made the change, such as `pipeline.update`.',
    ({ event }) => event.operation,
  ),
  occurred_at: field(time, 'Time of the change.', ({ event }) => formatTime(event.createdAt)),
  actor: field(nullable(actorSchema), 'Who made the change; null for the service itself.', presentActor),
  subject: field(nullable(subjectSchema), 'What was changed.', ({ event }) => presentSubject(event)),
  context: field(nullable(contextSchema), 'Request that made the change; null if it had no API token.', ({ event }) =>
    presentContext(event),
  ),
  data: field(mapOf(anything), 'Further details, by operation.', ({ event }) => event.data ?? {}),
  url: field(
    url,
    'API URL of the audit event.',
    ({ event, organizationUrl }) => `${organizationUrl}/audit_events/${event.id}`,
  ),
});

export async function presentAuditEvent(context: Context, event: AuditEventRow): Promise<JsonObject> {
  const organization = existing(await loadOrNull(context.load.organization, event.organizationId), 'an organization');
  const organizationUrl = Urls.of(context).organization(organization).api;
  return auditEventResource.present({ context, event, organizationUrl });
}

async function presentActor({ context, event }: AuditEventSource): Promise<JsonObject | null> {
  const { actorType, actorId } = event;
  if (actorId === null || actorType === 'system') return null;
  const actor = await (actorType === 'user' ? context.load.user : context.load.agent).load(actorId);
  return { type: classForm(actorType), uuid: actorId, name: actor?.name ?? null };
}

function presentSubject(event: AuditEventRow): JsonObject | null {
  if (event.subject === null || event.subjectId === null) return null;
  return {
    type: classForm(auditSubjectType(factOf(event)) ?? auditNoun(factOf(event)) ?? ''),
    uuid: event.subjectId,
    name: event.subjectName,
  };
}

function presentContext(event: AuditEventRow): JsonObject | null {
  if (event.apiTokenId === null) return null;
  return {
    type: 'APIContext',
    request_ip: event.ipAddress,
    request_user_agent: event.userAgent,
    request_api_access_token_uuid: event.apiTokenId,
  };
}
