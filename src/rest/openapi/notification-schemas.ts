import { notificationEvents } from '../../domain/notification-events.js';
import { anything, flag, integer, list, mapOf, object, orNull, reference, text, time, url, uuid, word } from './schema.js';

export const notificationServiceReply = object({
  id: uuid(), graphql_id: text(), url: url(), provider: object({ id: word('webhook'), name: text() }), description: text(), enabled: flag(),
  scope: word('all', 'some_projects', 'some_teams', 'some_clusters'), scope_uuids: list(uuid()), branch_configuration: text(),
  settings: object({ url: url(), token_mode: word('token', 'signature'), token_set: flag(), version: integer(), events: list(word(...notificationEvents)), tls_verify: flag() }),
  created_at: time(), created_by: orNull(reference('User')),
});

const delivery = {
  id: uuid(), url: url(), event: word(...notificationEvents, 'ping'), state: word('pending', 'delivered', 'failed'), attempts: integer(), receiver_url: url(),
  response_status: orNull(integer()), response_body: orNull(text()), error: orNull(text()), duration_in_milliseconds: orNull(integer()),
  next_attempt_at: orNull(time()), redelivery_of: orNull(uuid()), created_at: time(), attempted_at: orNull(time()), delivered_at: orNull(time()),
};

export const notificationDeliveryReply = object(delivery);
export const notificationDeliveryWithPayloadReply = object({ ...delivery, payload: mapOf(anything()) });
