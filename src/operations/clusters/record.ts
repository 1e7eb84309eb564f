import type { Context } from '../../context.js';
import type { JsonObject } from '../../domain/steps/step.js';
import type { ClusterRow } from '../../entities/database.js';

/** Remembers a change of a cluster or of what belongs to it: the event is named after the operation. Never a secret. */
export function recordCluster(context: Context, cluster: Pick<ClusterRow, 'id' | 'organizationId'>, type: string, data: JsonObject): void {
  context.record({ organizationId: cluster.organizationId, subject: 'cluster', subjectId: cluster.id, type, data });
}
