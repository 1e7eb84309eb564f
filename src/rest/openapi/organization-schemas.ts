import { anyObject, flag, list, object, orNull, reference, text, time, url, uuid, word } from './schema.js';

export const userReply = object({ id: uuid(), graphql_id: text(), name: text(), email: text(), avatar_url: url(), created_at: time() });

export const organizationReply = object({
  id: uuid(), graphql_id: text(), url: url(), web_url: url(), name: text(), slug: text(),
  pipelines_url: url(), agents_url: url(), emojis_url: url(), created_at: time(),
});

export const accessTokenReply = object({
  uuid: uuid(), scopes: list(text()), description: text(), created_at: time(), expires_at: orNull(time()), user: object({ email: text(), name: text() }),
});

export const clusterReply = object({
  id: uuid(), graphql_id: text(), default_queue_id: orNull(uuid()), name: text(), description: orNull(text()), emoji: orNull(text()), color: orNull(text()),
  maintainers: object({ users: list(reference('User')), teams: list(anyObject()) }),
  url: url(), web_url: url(), queues_url: url(), default_queue_url: orNull(url()), created_at: time(), created_by: orNull(reference('User')),
});

export const queueReply = object({
  id: uuid(), graphql_id: text(), key: text(), description: orNull(text()), url: url(), web_url: url(), cluster_url: url(),
  retry_agent_affinity: word('prefer-warmest', 'prefer-different'),
  dispatch_paused: flag(), dispatch_paused_by: orNull(reference('User')), dispatch_paused_at: orNull(time()), dispatch_paused_note: orNull(text()),
  created_at: time(), created_by: orNull(reference('User')),
});
