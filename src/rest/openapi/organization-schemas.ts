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

export const organizationMemberReply = object({ id: uuid(), name: text(), email: text(), role: word('admin', 'member'), sso_mode: word('optional', 'required') });

export const teamReply = object({
  id: uuid(), graphql_id: text(), name: text(), slug: text(), description: orNull(text()), privacy: word('visible', 'secret'), default: flag(), default_member_role: word('member', 'maintainer'),
  members_can_create_pipelines: flag(), members_can_create_suites: flag(), members_can_create_registries: flag(), members_can_destroy_registries: flag(), members_can_destroy_packages: flag(),
  created_at: time(), created_by: orNull(reference('User')),
});

export const teamMemberReply = object({ user_id: uuid(), user_name: text(), created_at: time(), role: word('member', 'maintainer') });

export const teamPipelineReply = object({
  access_level: word('read_only', 'build_and_read', 'manage_build_and_read'), created_at: time(), pipeline_id: uuid(), pipeline_url: url(),
});

export const pipelineTeamReply = object({
  access_level: word('read_only', 'build_and_read', 'manage_build_and_read'), created_at: time(), team_id: uuid(), team_name: text(), team_slug: text(), team_url: url(),
});

export const teamSuiteReply = object({ suite_id: uuid(), suite_url: url(), created_at: time(), access_level: list(word('read', 'edit')) });
export const emojiReply = object({ name: text(), url: url() }, { aliases: list(text()) });
export const metaReply = object({ webhook_ips: list(text()) });
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
