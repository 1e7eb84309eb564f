import type { Context } from '../../../request/context.js';
import { encodeNodeId } from '../../../domain/node-id.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { formatTime } from '../../../domain/time.js';
import type {
  ClusterMaintainerRow,
  ClusterQueueRow,
  ClusterRow,
  OrganizationRow,
  TeamRow,
} from '../../../entities/database.js';
import { loadOrNull } from '../../../loaders/batch-loader.js';
import type { CreatedAgentToken } from '../../../operations/agents/agent-tokens/create.js';
import type { AgentToken } from '../../../resources/agents/agent-tokens/agent-token.js';
import {
  arrayOf,
  boolean,
  described,
  enumOf,
  nullable,
  number,
  object,
  reference,
  text,
  time,
  url,
  uuid,
} from '../../openapi/schema.js';
import { field, type Fields, resource } from '../fields.js';
import { presentUserById } from '../organizations/user.js';
import { type Links, Urls } from '../urls.js';
import { existing, timeOrNull } from '../values.js';

interface ClusterSource {
  context: Context;
  cluster: ClusterRow;
  links: Links;
}

const maintainersSchema = object({
  users: described(arrayOf(reference('User')), 'Users who maintain the cluster.'),
  teams: described(
    arrayOf(
      object({
        id: described(uuid, 'ID of the team.'),
        graphql_id: described(text, 'ID of the team in the GraphQL API.'),
        name: described(text, 'Name of the team.'),
        slug: described(text, 'Slug of the team.'),
      }),
    ),
    'Teams that maintain the cluster.',
  ),
});

export const clusterResource = resource<ClusterSource>({
  id: field(uuid, 'ID of the cluster.', ({ cluster }) => cluster.id),
  graphql_id: field(text, 'ID of the cluster in the GraphQL API.', ({ cluster }) =>
    encodeNodeId('Cluster', cluster.id),
  ),
  default_queue_id: field(
    nullable(uuid),
    'ID of the queue for jobs and agents that name none.',
    ({ cluster }) => cluster.defaultQueueId,
  ),
  name: field(text, 'Name of the cluster.', ({ cluster }) => cluster.name),
  description: field(nullable(text), 'Description of the cluster.', ({ cluster }) => cluster.description),
  emoji: field(nullable(text), 'Emoji of the cluster, such as `:rocket:`.', ({ cluster }) => cluster.emoji),
  color: field(nullable(text), 'Color of the cluster as a hexadecimal code.', ({ cluster }) => cluster.color),
  maintainers: field(maintainersSchema, 'Users and teams that maintain the cluster.', presentMaintainers),
  url: field(url, 'API URL of the cluster.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the cluster.', ({ links }) => links.web),
  queues_url: field(url, 'API URL of the queues of the cluster.', ({ links }) => `${links.api}/queues`),
  default_queue_url: field(nullable(url), 'API URL of the default queue.', ({ cluster, links }) =>
    cluster.defaultQueueId === null ? null : `${links.api}/queues/${cluster.defaultQueueId}`,
  ),
  created_at: field(time, 'Time the cluster was created.', ({ cluster }) => formatTime(cluster.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the cluster.', ({ context, cluster }) =>
    presentUserById(context, cluster.createdById),
  ),
});

export async function presentCluster(context: Context, cluster: ClusterRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(cluster.organizationId), 'an organization');
  return clusterResource.present({ context, cluster, links: Urls.of(context).cluster(organization, cluster.id) });
}

/** Lists the maintainers of a cluster; teams that the caller may not see are listed by `/maintainers` alone. */
async function presentMaintainers({ context, cluster }: ClusterSource): Promise<JsonObject> {
  const { userIds, teamIds } = await context.load.maintainersOfCluster.load(cluster.id);
  const [users, teams] = await Promise.all([
    Promise.all(userIds.map((userId) => presentUserById(context, userId))),
    Promise.all(teamIds.map((teamId) => context.load.team.load(teamId))),
  ]);
  return {
    users: users.flatMap((user) => user ?? []),
    teams: teams.flatMap((team) => (team ? [presentTeamActor(team)] : [])),
  };
}

const presentTeamActor = ({ id, name, slug }: TeamRow): JsonObject => ({
  id,
  graphql_id: encodeNodeId('Team', id),
  name,
  slug,
});

const maintainerActorSchema = object(
  {
    id: described(uuid, 'ID of the user or team.'),
    graphql_id: described(text, 'ID of the user or team in the GraphQL API.'),
    name: described(text, 'Name of the user or team.'),
    type: described(enumOf('user', 'team'), 'Whether the maintainer is a user or a team.'),
  },
  {
    email: described(text, 'Email address; users only.'),
    slug: described(text, 'Slug; teams only.'),
  },
);

export const clusterMaintainerResource = resource<{ context: Context; maintainer: ClusterMaintainerRow }>({
  id: field(uuid, 'ID of the maintainer entry.', ({ maintainer }) => maintainer.id),
  actor: field(maintainerActorSchema, 'User or team that maintains the cluster.', ({ context, maintainer }) =>
    presentMaintainerActor(context, maintainer),
  ),
});

export function presentMaintainer(context: Context, maintainer: ClusterMaintainerRow): Promise<JsonObject> {
  return clusterMaintainerResource.present({ context, maintainer });
}

async function presentMaintainerActor(context: Context, { userId, teamId }: ClusterMaintainerRow): Promise<JsonObject> {
  const [user, team] = await Promise.all([
    loadOrNull(context.load.user, userId),
    loadOrNull(context.load.team, teamId),
  ]);
  if (!user) return { ...presentTeamActor(existing(team, 'a team')), type: 'team' };
  return { id: user.id, graphql_id: encodeNodeId('User', user.id), name: user.name, email: user.email, type: 'user' };
}

interface AgentTokenSource {
  context: Context;
  token: AgentToken;
  clusterUrl: string;
}

const agentTokenFields: Fields<AgentTokenSource> = {
  id: field(uuid, 'ID of the agent token.', ({ token }) => token.id),
  graphql_id: field(text, 'ID of the agent token in the GraphQL API.', ({ token }) =>
    encodeNodeId('ClusterToken', token.id),
  ),
  description: field(text, 'Description of the agent token.', ({ token }) => token.description),
  allowed_ip_addresses: field(
    nullable(text),
    'Networks in CIDR notation, separated by spaces, that agents may connect from; null for all.',
    ({ token }) => token.allowedIpAddresses,
  ),
  expires_at: field(nullable(time), 'Time the agent token expires.', ({ token }) => timeOrNull(token.expiresAt)),
  url: field(url, 'API URL of the agent token.', ({ clusterUrl, token }) => `${clusterUrl}/tokens/${token.id}`),
  cluster_url: field(url, 'API URL of the cluster.', ({ clusterUrl }) => clusterUrl),
  created_at: field(time, 'Time the agent token was created.', ({ token }) => formatTime(token.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the agent token.', ({ context, token }) =>
    presentUserById(context, token.createdById),
  ),
};

export const agentTokenResource = resource(agentTokenFields);

export const newAgentTokenResource = resource<AgentTokenSource & { value: string }>({
  ...agentTokenFields,
  token: field(text, 'Value of the agent token; only in the reply to its creation.', ({ value }) => value),
});

export async function presentAgentToken(context: Context, token: AgentToken): Promise<JsonObject> {
  return agentTokenResource.present(await linkAgentToken(context, token));
}

/** Presents an agent token with its value, which only the reply to its creation shows. */
export async function presentNewAgentToken(
  context: Context,
  { agentToken, value }: CreatedAgentToken,
): Promise<JsonObject> {
  return newAgentTokenResource.present({ ...(await linkAgentToken(context, agentToken)), value });
}

async function linkAgentToken(context: Context, token: AgentToken): Promise<AgentTokenSource> {
  const organization = existing(await context.load.organization.load(token.organizationId), 'an organization');
  return { context, token, clusterUrl: Urls.of(context).cluster(organization, token.clusterId).api };
}

interface QueueSource {
  context: Context;
  queue: ClusterQueueRow;
  organization: OrganizationRow;
  links: Links;
}

export const queueResource = resource<QueueSource>({
  id: field(uuid, 'ID of the queue.', ({ queue }) => queue.id),
  graphql_id: field(text, 'ID of the queue in the GraphQL API.', ({ queue }) => encodeNodeId('ClusterQueue', queue.id)),
  key: field(text, 'Key of the queue, unique in its cluster.', ({ queue }) => queue.key),
  description: field(nullable(text), 'Description of the queue.', ({ queue }) => queue.description),
  url: field(url, 'API URL of the queue.', ({ links }) => links.api),
  web_url: field(url, 'URL of the page of the queue.', ({ links }) => links.web),
  cluster_url: field(
    url,
    'API URL of the cluster.',
    ({ context, queue, organization }) => Urls.of(context).cluster(organization, queue.clusterId).api,
  ),
  retry_agent_affinity: field(
    enumOf('prefer-warmest', 'prefer-different'),
    'Which agent is preferred for a retried job: the one that ran last, or one that has not failed the job.',
    ({ queue }) => queue.retryAgentAffinity,
  ),
  price_per_agent_hour: field(
    nullable(number),
    'What an hour of an agent costs, in a currency of your choice; null without a price.',
    ({ queue }) => queue.pricePerAgentHour,
  ),
  dispatch_paused: field(boolean, 'Whether dispatch is paused.', ({ queue }) => queue.dispatchPausedAt !== null),
  dispatch_paused_by: field(nullable(reference('User')), 'User who paused dispatch.', ({ context, queue }) =>
    presentUserById(context, queue.dispatchPausedById),
  ),
  dispatch_paused_at: field(nullable(time), 'Time dispatch was paused.', ({ queue }) =>
    timeOrNull(queue.dispatchPausedAt),
  ),
  dispatch_paused_note: field(nullable(text), 'Note of the pause.', ({ queue }) => queue.dispatchPausedNote),
  created_at: field(time, 'Time the queue was created.', ({ queue }) => formatTime(queue.createdAt)),
  created_by: field(nullable(reference('User')), 'User who created the queue.', ({ context, queue }) =>
    presentUserById(context, queue.createdById),
  ),
});

export async function presentQueue(context: Context, queue: ClusterQueueRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(queue.organizationId), 'an organization');
  const links = Urls.of(context).queue(organization, queue.clusterId, queue.id);
  return queueResource.present({ context, queue, organization, links });
}
