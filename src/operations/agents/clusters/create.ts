import { z } from 'zod';
import { limits } from '../../../domain/limits/limits.js';
import { invalidField } from '../../../domain/problem.js';
import { organizationAddress } from '../../../core/address.js';
import { findOrganization } from '../../../core/find.js';
import { defineOperation } from '../../../core/operation.js';
import type { OrganizationSubject } from '../../../core/subject.js';
import { clusterFields, clusterName, taken } from '../../../resources/agents/clusters/fields.js';
import type { ClusterSubject } from '../../../resources/agents/clusters/find-cluster.js';
import { insertMaintainers } from '../../../resources/agents/cluster-maintainers/insert-maintainers.js';
import { maintainerFields } from '../../../resources/agents/cluster-maintainers/fields.js';
import { recordCluster } from '../../../resources/agents/clusters/record.js';

/** Creates a cluster with its maintainers and no queues; refuses a name that another cluster has. */
export const createCluster = defineOperation({
  name: 'cluster.create',
  summary: 'Creates a cluster.',
  kind: 'command',
  scope: 'write_clusters',
  access: 'admin',
  refusal: 'sentence',
  input: z.object({
    organization: organizationAddress,
    name: clusterName,
    ...clusterFields,
    maintainers: z
      .array(z.object(maintainerFields))
      .max(limits.maintainersPerCluster, `must be at most ${limits.maintainersPerCluster}`)
      .nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, request, subject: OrganizationSubject): Promise<ClusterSubject> => {
    const { organization } = subject;
    const cluster = await context.db
      .insertInto('clusters')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        name: request.name,
        description: request.description ?? null,
        emoji: request.emoji ?? null,
        color: request.color ?? null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!cluster) throw invalidField('name', taken);
    await insertMaintainers(context, cluster, request.maintainers ?? []);
    recordCluster(context, cluster, 'cluster.create', { name: cluster.name });
    return { ...subject, cluster };
  },
});
