import type { Context } from '../../context.js';
import { encodeNodeId } from '../../domain/node-id.js';
import type { JsonObject } from '../../domain/steps/step.js';
import { formatTime } from '../../domain/time.js';
import type { ClusterQueueRow, ClusterRow } from '../../entities/database.js';
import { Urls } from './urls.js';
import { presentUserById } from './user.js';
import { existing, timeOrNull } from './values.js';

/** A cluster (rest-facts 3.6). Nobody maintains clusters here yet but administrators, so the lists are empty. */
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
    maintainers: { users: [], teams: [] },
    url: api,
    web_url: web,
    queues_url: `${api}/queues`,
    default_queue_url: cluster.defaultQueueId === null ? null : `${api}/queues/${cluster.defaultQueueId}`,
    created_at: formatTime(cluster.createdAt),
    created_by: await presentUserById(context, cluster.createdById),
  };
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
