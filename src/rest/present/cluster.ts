import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { ClusterMaintainerRow, ClusterQueueRow, ClusterRow, TeamRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import type { AgentToken } from '../../operations/clusters/agent-token.js';
import type { CreatedAgentToken } from '../../operations/clusters/create-agent-token.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** A cluster (rest-facts 3.6) with its maintainers; secret teams are among those of `/maintainers` only. */
export async function presentCluster(context: Context, cluster: ClusterRow): Promise<JsonObject> {
  const organization = existing(await context.load.organization.load(cluster.organizationId), 'an organization');
  const { api, web } = Urls.of(context).cluster(organization, cluster.id);
  return {
    id: cluster.id,
    graphql_id: encodeNodeId('Cluster', cluster.id),
    default_queue_id: cluster.defaultQueueId,
    name: cluster.name,
    description: cluster.description,
    emoji: cluster.emoji,
    color: cluster.color,
    maintainers: await presentMaintainers(context, cluster),
    url: api,
    web_url: web,
    queues_url: `${api}/queues`,
    default_queue_url: cluster.defaultQueueId === null ? null : `${api}/queues/${cluster.defaultQueueId}`,
    created_at: formatTime(cluster.createdAt),
    created_by: await presentUserById(context, cluster.createdById),
  };
}

async function presentMaintainers(context: Context, { id }: ClusterRow): Promise<JsonObject> {
  const { userIds, teamIds } = await context.load.maintainersOfCluster.load(id);
  const [users, teams] = await Promise.all([Promise.all(userIds.map((userId) => presentUserById(context, userId))), Promise.all(teamIds.map((teamId) => context.load.team.load(teamId)))]);
  return { users: users.flatMap((user) => user ?? []), teams: teams.flatMap((team) => (team ? [presentTeamActor(team)] : [])) };
}

const presentTeamActor = ({ id, name, slug }: TeamRow): JsonObject => ({ id, graphql_id: encodeNodeId('Team', id), name, slug });

/** One maintainer of a cluster: a person or a team (rest-facts 3.6). */
export async function presentMaintainer(context: Context, { id, userId, teamId }: ClusterMaintainerRow): Promise<JsonObject> {
  const [user, team] = await Promise.all([loadOrNull(context.load.user, userId), loadOrNull(context.load.team, teamId)]);
  if (user) return { id, actor: { id: user.id, graphql_id: encodeNodeId('User', user.id), name: user.name, email: user.email, type: 'user' } };
  return { id, actor: { ...presentTeamActor(existing(team, 'a team')), type: 'team' } };
}

/** An agent token without its value (rest-facts 3.6). */
export async function presentAgentToken(context: Context, token: AgentToken): Promise<JsonObject> {
  const [organization, createdBy] = await Promise.all([context.load.organization.load(token.organizationId), presentUserById(context, token.createdById)]);
  const cluster = Urls.of(context).cluster(existing(organization, 'an organization'), token.clusterId).api;
  return {
    id: token.id,
    graphql_id: encodeNodeId('ClusterToken', token.id),
    description: token.description,
    allowed_ip_addresses: token.allowedIpAddresses,
    expires_at: timeOrNull(token.expiresAt),
    url: `${cluster}/tokens/${token.id}`,
    cluster_url: cluster,
    created_at: formatTime(token.createdAt),
    created_by: createdBy,
  };
}

/** The same as it is shown this once, when it was made. */
export async function presentNewAgentToken(context: Context, { agentToken, value }: CreatedAgentToken): Promise<JsonObject> {
  return { ...(await presentAgentToken(context, agentToken)), token: value };
}

/** A queue of a cluster (rest-facts 3.6). */
export async function presentQueue(context: Context, queue: ClusterQueueRow): Promise<JsonObject> {
  const [organizationRow, pausedBy, createdBy] = await Promise.all([
    context.load.organization.load(queue.organizationId),
    presentUserById(context, queue.dispatchPausedById),
    presentUserById(context, queue.createdById),
  ]);
  const organization = existing(organizationRow, 'an organization');
  const urls = Urls.of(context);
  const { api, web } = urls.queue(organization, queue.clusterId, queue.id);
  return {
    id: queue.id,
    graphql_id: encodeNodeId('ClusterQueue', queue.id),
    key: queue.key,
    description: queue.description,
    url: api,
    web_url: web,
    cluster_url: urls.cluster(organization, queue.clusterId).api,
    retry_agent_affinity: queue.retryAgentAffinity,
    dispatch_paused: queue.dispatchPausedAt !== null,
    dispatch_paused_by: pausedBy,
    dispatch_paused_at: timeOrNull(queue.dispatchPausedAt),
    dispatch_paused_note: queue.dispatchPausedNote,
    created_at: formatTime(queue.createdAt),
    created_by: createdBy,
  };
}
