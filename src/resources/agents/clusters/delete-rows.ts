import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { ClusterRow } from '../../../entities/database.js';
import { queueDeletions } from '../../installation/deletions/queue-deletions.js';

/**
 * Deletes clusters of an organization, whose rows are locked, with their queues, tokens, maintainers, secrets and
 * stacks. Their agents, which have disconnected, are purged in the background.
 */
export async function deleteClusterRows(
  context: Context,
  organizationId: string,
  clusters: readonly Pick<ClusterRow, 'id' | 'name'>[],
): Promise<void> {
  const { db } = context;
  if (clusters.length === 0) return;
  const ids = sql`any(${clusters.map(({ id }) => id)}::uuid[])`;
  for (const table of ['cluster_queues', 'agent_tokens', 'cluster_maintainers', 'cluster_secrets', 'stacks'] as const)
    await db
      .deleteFrom(table)
      .where(sql<boolean>`cluster_id = ${ids}`)
      .execute();
  await queueDeletions(
    context,
    clusters.map(({ id, name }) => ({ organizationId, resource: 'cluster', resourceId: id, name })),
  );
  await db
    .deleteFrom('clusters')
    .where(sql<boolean>`id = ${ids}`)
    .execute();
}
