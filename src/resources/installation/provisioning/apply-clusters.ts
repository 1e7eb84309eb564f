import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import { adoptJobs } from '../../agents/queues/adopt-jobs.js';
import { applyToken } from './apply-token.js';
import type { Ledger } from './ledger.js';
import type { PlannedCluster } from './plan.js';
import { reconcile } from './reconcile.js';
import type { Within } from './within.js';

/** Applies the planned clusters of an organization, with their queues and agent tokens. */
export async function applyClusters(
  context: Context,
  ledger: Ledger,
  within: Within,
  clusters: PlannedCluster[],
): Promise<void> {
  const { organizationId, slug } = within;
  for (const [index, cluster] of clusters.entries()) {
    const path = `${within.path}.clusters.${index}`;
    const name = `${slug}/${cluster.name}`;
    const existing = await findCluster(context, organizationId, cluster.name);
    const clusterId = await reconcile(context, ledger, {
      table: 'clusters',
      kind: 'cluster',
      name,
      path,
      id: cluster.id,
      organizationId,
      existing,
      identity: { organizationId, name: cluster.name },
      values: { description: cluster.description },
    });
    if (!clusterId) continue;
    await applyQueues(context, ledger, { organizationId, clusterId, name, path }, cluster, existing === undefined);
    const row = existing && (await findCluster(context, organizationId, cluster.name));
    if (row) await adoptJobs(context, row);
    for (const [position, { description, token }] of cluster.agentTokens.entries()) {
      const rows = await context.db
        .selectFrom('agent_tokens')
        .selectAll()
        .where('clusterId', '=', clusterId)
        .where('description', '=', description)
        .orderBy('id')
        .execute();
      const holder = await context.db
        .selectFrom('agent_tokens')
        .selectAll()
        .where('tokenHash', '=', hashToken(token))
        .executeTakeFirst();
      await applyToken(context, ledger, {
        table: 'agent_tokens',
        kind: 'agent token',
        name: `${name}/${description}`,
        path: `${path}.agentTokens.${position}`,
        organizationId,
        token,
        rows,
        holder,
        owned: holder?.clusterId === clusterId,
        identity: { organizationId, clusterId },
        values: { description },
      });
    }
  }
}

interface WithinCluster {
  organizationId: string;
  clusterId: string;
  name: string;
  path: string;
}

async function applyQueues(
  context: Context,
  ledger: Ledger,
  { organizationId, clusterId, name, path }: WithinCluster,
  cluster: PlannedCluster,
  isNew: boolean,
): Promise<void> {
  for (const [index, { key, id, description, pricePerAgentHour }] of cluster.queues.entries()) {
    await reconcile(context, ledger, {
      table: 'cluster_queues',
      kind: 'queue',
      name: `${name}/${key}`,
      path: `${path}.queues.${index}`,
      id,
      organizationId,
      existing: await findQueue(context, clusterId, key),
      identity: { organizationId, clusterId, key },
      values: { description, pricePerAgentHour },
    });
  }
  // Without a word about it, a new cluster sends jobs where clients expect them to go.
  const defaultKey =
    cluster.defaultQueue ?? (isNew ? cluster.queues.find(({ key }) => key === 'default')?.key : undefined);
  if (defaultKey === undefined) return;
  const queue = await findQueue(context, clusterId, defaultKey);
  if (!queue) {
    ledger.refuse(`${path}.defaultQueue`, `there is no queue ${defaultKey} in cluster ${cluster.name}`);
    return;
  }
  const values = { defaultQueueId: queue.id };
  if (isNew) await context.db.updateTable('clusters').set(values).where('id', '=', clusterId).execute();
  else {
    await reconcile(context, ledger, {
      table: 'clusters',
      kind: 'cluster',
      name,
      path,
      organizationId,
      existing: await findCluster(context, organizationId, cluster.name),
      identity: {},
      values,
      called: { defaultQueueId: 'default_queue' },
    });
  }
}

const findCluster = (context: Context, organizationId: string, name: string) =>
  context.db
    .selectFrom('clusters')
    .selectAll()
    .where('organizationId', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();

const findQueue = (context: Context, clusterId: string, key: string) =>
  context.db
    .selectFrom('cluster_queues')
    .selectAll()
    .where('clusterId', '=', clusterId)
    .where('key', '=', key)
    .executeTakeFirst();
