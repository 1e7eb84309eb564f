import { z } from 'zod';
import { limits } from '../../domain/limits.js';
import { invalidField } from '../../domain/problem.js';
import { organizationAddress } from '../address.js';
import { findOrganization } from '../find.js';
import { defineOperation } from '../operation.js';
import type { OrganizationSubject } from '../subject.js';
import { clusterFields, clusterName, taken } from './fields.js';
import type { ClusterSubject } from './find-cluster.js';
import { insertMaintainers } from './insert-maintainers.js';
import { maintainerFields } from './maintainer-fields.js';
import { recordCluster } from './record.js';

/** Makes a cluster without queues, with its maintainers (rest-facts 3.6). Refuses a name that another cluster has. */
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
    maintainers: z.array(z.object(maintainerFields)).max(limits.maintainersPerCluster, `must be at most ${limits.maintainersPerCluster}`).nullish(),
  }),
  subject: (context, { organization }) => findOrganization(context, organization),
  run: async (context, given, subject: OrganizationSubject): Promise<ClusterSubject> => {
    const { organization } = subject;
    const cluster = await context.db
      .insertInto('clusters')
      .values({
        id: context.newId(),
        organizationId: organization.id,
        name: given.name,
        description: given.description ?? null,
        emoji: given.emoji ?? null,
        color: given.color ?? null,
        createdById: context.userId,
        createdAt: context.now,
      })
      .onConflict((conflict) => conflict.columns(['organizationId', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst();
    if (!cluster) throw invalidField('name', taken);
    await insertMaintainers(context, cluster, given.maintainers ?? []);
    recordCluster(context, cluster, 'cluster.create', { name: cluster.name });
    return { ...subject, cluster };
  },
});
