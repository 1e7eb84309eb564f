import type { Context } from '../../../request/context.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { ClusterRow } from '../../../entities/database.js';

/** Records the event of a change of a cluster or its parts, named after the operation; never includes a secret. */
export function recordCluster(
  context: Context,
  cluster: Pick<ClusterRow, 'id' | 'organizationId'>,
  type: string,
  data: JsonObject,
): void {
  context.record({ organizationId: cluster.organizationId, subject: 'cluster', subjectId: cluster.id, type, data });
}
