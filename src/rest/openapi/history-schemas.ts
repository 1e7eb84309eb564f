import { anything, mapOf, object, orNull, text, time, url, uuid } from './schema.js';

export const auditEventReply = object({
  uuid: uuid(), graphql_id: text(), type: text(), operation: text(), occurred_at: time(),
  actor: orNull(object({ type: text(), uuid: uuid(), name: orNull(text()) })),
  subject: orNull(object({ type: text(), uuid: uuid(), name: orNull(text()) })),
  context: orNull(object({ type: text(), request_ip: orNull(text()), request_user_agent: orNull(text()), request_api_access_token_uuid: uuid() })),
  data: mapOf(anything()), url: url(),
});
