import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { wrongState } from '../../../domain/problem.js';
import type { ClusterRow, OrganizationRow } from '../../../entities/database.js';
import { inOrganization } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import { hasActiveJobs } from '../../../resources/agents/queues/active-jobs.js';
import { type ClusterSubject, findCluster } from '../../../resources/agents/clusters/find-cluster.js';
import { deleteClusterRows } from '../../../resources/agents/clusters/delete-rows.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/**
 * Deletes a cluster with its queues, tokens, maintainers and secrets. Refused while it is the default for new
 * pipelines, has pipelines or connected agents, or has jobs that have not ended. Its former agents are purged in the
 * background.
 */
export const deleteCluster = defineOperation({
  name: 'cluster.delete',
  summary: 'Deletes a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({ cluster: inOrganization }),
  subject: (context, { cluster }) => findCluster(context, cluster, { lock: true }),
  run: async (context, _input, subject: ClusterSubject): Promise<ClusterSubject> => {
    const { cluster, organization } = subject;
    const reason = await reasonToKeep(context, organization, cluster);
    if (reason !== null) throw wrongState(reason);
    await deleteClusterRows(context, organization.id, [cluster]);
    recordCluster(context, cluster, 'cluster.delete', { name: cluster.name });
    return subject;
  },
});

async function reasonToKeep(
  context: Context,
  organization: OrganizationRow,
  { id }: ClusterRow,
): Promise<string | null> {
  // Read again: it may have become the default since the organization was read.
  const { defaultClusterId } = await context.db
    .selectFrom('organizations')
    .select('defaultClusterId')
    .where('id', '=', organization.id)
    .executeTakeFirstOrThrow();
  if (defaultClusterId === id) return 'The default cluster of the organization cannot be deleted';
  const pipeline = await context.db
    .selectFrom('pipelines')
    .select('id')
    .where('organizationId', '=', organization.id)
    .where('clusterId', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (pipeline) return 'The cluster cannot be deleted: it still has pipelines';
  const agent = await context.db
    .selectFrom('agents')
    .select('id')
    .where('organizationId', '=', organization.id)
    .where('clusterId', '=', id)
    .where(sql<boolean>`connection_state in ('connected', 'stopping')`)
    .limit(1)
    .executeTakeFirst();
  if (agent) return 'The cluster cannot be deleted: it still has connected agents';
  return (await hasActiveJobs(context, organization.id, { clusterId: id }))
    ? 'The cluster cannot be deleted: it still has active jobs'
    : null;
}
