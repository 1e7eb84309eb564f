import { ruleActions, ruleTypes } from '../../domain/rules.js';
import { anything, integer, list, mapOf, object, orNull, reference, text, time, url, uuid, word } from './schema.js';

export const auditEventReply = object({
  uuid: uuid(), graphql_id: text(), type: text(), operation: text(), occurred_at: time(),
  actor: orNull(object({ type: text(), uuid: uuid(), name: orNull(text()) })),
  subject: orNull(object({ type: text(), uuid: uuid(), name: orNull(text()) })),
  context: orNull(object({ type: text(), request_ip: orNull(text()), request_user_agent: orNull(text()), request_api_access_token_uuid: uuid() })),
  data: mapOf(anything()), url: url(),
});

/** An API token of a member, for administrators of an organization; never its value. */
export const organizationTokenReply = object({
  uuid: uuid(), graphql_id: text(), description: text(), scopes: list(text()), created_at: time(), expires_at: orNull(time()), owner: orNull(reference('User')),
});

/** Something that happened to a build or to a job of it. */
export const eventReply = object({
  id: uuid(), sequence: integer(), type: text(), from: orNull(text()), to: orNull(text()), reason: orNull(text()), job_id: orNull(uuid()), agent_id: orNull(uuid()),
  actor: object({ type: word('user', 'agent', 'system'), id: orNull(uuid()), name: orNull(text()) }), data: mapOf(anything()), created_at: time(),
});

export const ruleReply = object({
  uuid: uuid(), graphql_id: text(), organization_uuid: uuid(), url: url(), type: word(...ruleTypes), description: orNull(text()), source_type: word('pipeline'), source_uuid: uuid(),
  target_type: word('pipeline'), target_uuid: uuid(), effect: word('allow'), action: word(...ruleActions), created_at: time(), created_by: orNull(reference('User')),
});
