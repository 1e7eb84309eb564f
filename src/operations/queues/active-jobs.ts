import { sql } from 'kysely';
import type { Context } from '../../context.js';

/** The condition of `jobs_unfinished_index`, word for word: what has not ended is all that is looked at. */
export const unfinished = sql<boolean>`"state" in ('pending', 'waiting', 'blocked', 'unblocked', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out')`;

/** Whether a queue, or a whole cluster, has jobs that have not ended. */
export async function hasActiveJobs(context: Context, organizationId: string, of: { clusterId: string } | { clusterQueueId: string }): Promise<boolean> {
  const jobs = context.db.selectFrom('jobs').select('id').where('organizationId', '=', organizationId).where('type', '=', 'command').where(unfinished);
  const within = 'clusterId' in of ? jobs.where('clusterId', '=', of.clusterId) : jobs.where('clusterQueueId', '=', of.clusterQueueId);
  return (await within.limit(1).executeTakeFirst()) !== undefined;
}
