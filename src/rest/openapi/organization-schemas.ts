import { flag, list, object, orNull, reference, text, time, url, uuid, word } from './schema.js';

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
  maintainers: object({ users: list(reference('User')), teams: list(object({ id: uuid(), graphql_id: text(), name: text(), slug: text() })) }),
  url: url(), web_url: url(), queues_url: url(), default_queue_url: orNull(url()), created_at: time(), created_by: orNull(reference('User')),
});

export const queueReply = object({
  id: uuid(), graphql_id: text(), key: text(), description: orNull(text()), url: url(), web_url: url(), cluster_url: url(),
  retry_agent_affinity: word('prefer-warmest', 'prefer-different'),
  dispatch_paused: flag(), dispatch_paused_by: orNull(reference('User')), dispatch_paused_at: orNull(time()), dispatch_paused_note: orNull(text()),
  created_at: time(), created_by: orNull(reference('User')),
});

const agentTokenFields = {
  id: uuid(), graphql_id: text(), description: text(), allowed_ip_addresses: orNull(text()), expires_at: orNull(time()), url: url(), cluster_url: url(),
  created_at: time(), created_by: orNull(reference('User')),
};
export const agentTokenReply = object(agentTokenFields);
/** As it is shown once, when it was made. */
export const newAgentTokenReply = object({ ...agentTokenFields, token: text() });

export const maintainerReply = object({
  id: uuid(), actor: object({ id: uuid(), graphql_id: text(), name: text(), type: word('user', 'team') }, { email: text(), slug: text() }),
});

/** Of a secret everything but its value. */
export const clusterSecretReply = object({
  id: uuid(), graphql_id: text(), key: text(), description: orNull(text()), policy: orNull(text()), created_at: time(), created_by: orNull(reference('User')),
  updated_at: time(), updated_by: orNull(reference('User')), last_read_at: orNull(time()), url: url(), cluster_url: url(),
  organization: object({ id: uuid(), slug: text(), url: url(), web_url: url() }),
});

export const pipelineSettingsReply = object({ default_cluster_id: orNull(uuid()) });
