import { loadOrNull } from '../../../loaders/batch-loader.js';
import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { exportStrategies } from '../../../domain/retention/build-export.js';
import { formatTime } from '../../../domain/time.js';
import type { OrganizationRow, Row } from '../../../entities/database.js';
import type { RateLimits } from '../../../operations/organizations/get-rate-limits.js';
import {
  arrayOf,
  boolean,
  described,
  enumOf,
  integer,
  nullable,
  object,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { shownBuildExport } from '../../../resources/organizations/build-export.js';
import { field, resource } from '../fields.js';
import { organizationRetentionSchema, presentRetention } from '../retention.js';
import { type Links, Urls } from '../urls.js';
import { timeOrNull } from '../values.js';

export const organizationResource = resource<{ organization: OrganizationRow; links: Links }>({
  id: field(uuid, 'ID of the organization.', ({ organization }) => organization.id),
  graphql_id: field(text, 'ID of the organization in the GraphQL API.', ({ organization }) =>
    encodeNodeId('Organization', organization.id),
  ),
  url: field(url, 'API URL of the organization.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the organization.', ({ links }) => links.web),
  name: field(text, 'Name of the organization.', ({ organization }) => organization.name),
  slug: field(text, 'Slug of the organization.', ({ organization }) => organization.slug),
  pipelines_url: field(url, 'API URL of the pipelines of the organization.', ({ links }) => `${links.api}/pipelines`),
  agents_url: field(url, 'API URL of the agents of the organization.', ({ links }) => `${links.api}/agents`),
  emojis_url: field(url, 'API URL of the emoji of the organization.', ({ links }) => `${links.api}/emojis`),
  created_at: field(time, 'Time the organization was created.', ({ organization }) =>
    formatTime(organization.createdAt),
  ),
});

export function presentOrganization(context: Context, organization: OrganizationRow): Promise<JsonObject> {
  return organizationResource.present({ organization, links: Urls.of(context).organization(organization) });
}

const publicPipelinesSchema = object({
  enabled: described(boolean, 'Whether pipelines may be made public; those that are public stay so.'),
  enabled_at: described(nullable(time), 'Time this was allowed; null if it was from the beginning, or is not.'),
  enabled_by: described(
    nullable(object({ id: described(uuid, 'ID of the user.'), name: described(text, 'Name of the user.') })),
    'User who allowed it; null if it was allowed from the beginning, or is not.',
  ),
});

const buildExportsSchema = object({
  available: described(boolean, 'Whether the operator of this installation has a place for exports.'),
  enabled: described(boolean, 'Whether builds are exported before retention deletes them.'),
  location: described(nullable(text), 'Name of the bucket or folder; null without one.'),
  strategy_id: described(nullable(enumOf(...exportStrategies)), 'Kind of storage; null without a location.'),
  supported_strategies: described(arrayOf(enumOf(...exportStrategies)), 'Strategies that can be set.'),
});

/** Settings of an organization that apply to all its pipelines. */
export const pipelineSettingsResource = resource<{ context: Context; organization: OrganizationRow; links: Links }>({
  url: field(url, 'API URL of the settings.', ({ links }) => `${links.api}/pipeline-settings`),
  default_branch: field(
    nullable(text),
    'Default branch of new pipelines that name none; null for `main`.',
    ({ organization }) => organization.defaultBranch,
  ),
  default_cluster_id: field(
    nullable(uuid),
    'ID of the cluster of new pipelines that name none.',
    ({ organization }) => organization.defaultClusterId,
  ),
  default_timeout_in_minutes: field(
    nullable(integer),
    'Timeout of command steps without one, in minutes; that of the pipeline goes first.',
    ({ organization }) => organization.defaultTimeoutInMinutes,
  ),
  maximum_timeout_in_minutes: field(
    nullable(integer),
    'Longest timeout that a command step can have, in minutes.',
    ({ organization }) => organization.maximumTimeoutInMinutes,
  ),
  scheduled_job_expiry_in_minutes: field(
    integer,
    'Minutes after which a job that no agent took expires; thirty days unless set.',
    ({ organization }) => organization.scheduledJobExpiryInMinutes,
  ),
  retention: field(
    organizationRetentionSchema,
    'Retention policy of builds, runs and audit events; null for that of the environment.',
    ({ organization }) => presentRetention(organization.retention),
  ),
  public_pipeline_creation: field(
    publicPipelinesSchema,
    'Whether pipelines may be made public.',
    async ({ context, organization }) => {
      const user = await loadOrNull(context.load.user, organization.publicPipelinesEnabledById);
      return {
        enabled: organization.allowsPublicPipelines,
        enabled_at: timeOrNull(organization.publicPipelinesEnabledAt),
        enabled_by: user && { id: user.id, name: user.name },
      };
    },
  ),
  build_exports: field(
    buildExportsSchema,
    'Export of builds before retention deletes them.',
    ({ context, organization }) => {
      const shown = shownBuildExport(context.services, organization);
      return {
        available: shown.available,
        enabled: shown.enabled,
        location: shown.location,
        strategy_id: shown.strategyId,
        supported_strategies: [...shown.supportedStrategies],
      };
    },
  ),
});

export function presentPipelineSettings(context: Context, organization: OrganizationRow): Promise<JsonObject> {
  return pipelineSettingsResource.present({
    context,
    organization,
    links: Urls.of(context).organization(organization),
  });
}

/** What an organization asks of the API tokens that have access to it. */
export const apiSettingsResource = resource<{ organization: OrganizationRow; links: Links }>({
  url: field(url, 'API URL of the settings.', ({ links }) => `${links.api}/api-settings`),
  allowed_ip_addresses: field(
    nullable(text),
    'IP addresses and CIDR ranges from which API tokens may be used, separated by spaces; null for any.',
    ({ organization }) => organization.allowedApiIpAddresses,
  ),
  revoke_inactive_tokens_after_days: field(
    nullable(integer),
    'Days without a use after which API tokens lose their access: 30, 60, 90, 180 or 365; null for never.',
    ({ organization }) => organization.revokeInactiveTokensAfterDays,
  ),
  restrict_user_api_token_creation: field(
    boolean,
    'Whether only administrators may make API tokens with access to the organization.',
    ({ organization }) => organization.restrictUserApiTokenCreation,
  ),
  features: field(
    object({
      api_ip_allow_list: described(boolean, 'Whether `allowed_ip_addresses` can be set.'),
      inactive_api_token_revocation: described(boolean, 'Whether `revoke_inactive_tokens_after_days` can be set.'),
    }),
    'Settings that the plan of the organization has: all of them.',
    () => ({ api_ip_allow_list: true, inactive_api_token_revocation: true }),
  ),
});

export function presentApiSettings(context: Context, organization: OrganizationRow): Promise<JsonObject> {
  return apiSettingsResource.present({ organization, links: Urls.of(context).organization(organization) });
}

const rateLimitSchema = (words: { limit: string; current: string; window: string; calls: string }) =>
  object({
    limit: described(integer, words.limit),
    current: described(integer, words.current),
    reset: described(integer, `Seconds until the next ${words.window} begins.`),
    reset_at: described(time, `Time the next ${words.window} begins.`),
    enforced: described(boolean, `Whether ${words.calls} above the limit are refused.`),
  });
const restLimitSchema = rateLimitSchema({
  limit: 'Requests that the organization may make in a minute; 0 for any number.',
  current: 'Requests in this minute, exact to a hundredth of the limit for each replica.',
  window: 'minute',
  calls: 'requests',
});
const graphqlLimitSchema = rateLimitSchema({
  limit: 'Points of complexity that the organization may spend in five minutes; 0 for any number.',
  current: 'Points that the replica which answers has counted in this window.',
  window: 'window of five minutes',
  calls: 'operations',
});

/** How much of its rate limits an organization has used. */
export const rateLimitResource = resource<{ context: Context; state: RateLimits }>({
  scopes: field(
    object({
      rest: described(restLimitSchema, 'Requests to the REST API.'),
      graphql: described(graphqlLimitSchema, 'Points of operations of the GraphQL API.'),
    }),
    'Limits by API.',
    ({ context, state: { limits, requestWindowEnd, pointsWindowEnd } }) => {
      const presented = (api: 'rest' | 'graphql', end: Date) => {
        const limit = limits.find((each) => each.api === api && each.sharedBy === 'organization');
        return {
          limit: limit?.limit ?? 0,
          current: limit?.used ?? 0,
          reset: Math.max(1, Math.ceil((end.getTime() - context.now.getTime()) / 1000)),
          reset_at: formatTime(end),
          enforced: (limit?.limit ?? 0) > 0,
        };
      };
      return { rest: presented('rest', requestWindowEnd), graphql: presented('graphql', pointsWindowEnd) };
    },
  ),
});

export const presentRateLimit = (context: Context, state: RateLimits): Promise<JsonObject> =>
  rateLimitResource.present({ context, state });

/** The message that an organization shows in the console. */
export const bannerResource = resource<Row<'organization_banners'>>({
  id: field(uuid, 'ID of the banner.', ({ id }) => id),
  graphql_id: field(text, 'ID of the banner in the GraphQL API.', ({ id }) => encodeNodeId('OrganizationBanner', id)),
  message: field(text, 'Message of the banner.', ({ message }) => message),
  created_at: field(time, 'Time the banner was created.', ({ createdAt }) => formatTime(createdAt)),
  updated_at: field(time, 'Time the message was last changed.', ({ updatedAt }) => formatTime(updatedAt)),
});

export const presentBanner = (banner: Row<'organization_banners'>): Promise<JsonObject> =>
  bannerResource.present(banner);
