import { sql } from 'kysely';
import { unfinishedJobStates } from '../../../domain/builds/job-state.js';
import { sqlList } from '../../../entities/sql-list.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import type { Context } from '../../../request/context.js';

/** Condition of `jobs_unfinished_index`, repeated word for word so that the planner uses it. */
export const unfinished = sql<boolean>`"state" in ${sql.raw(sqlList(unfinishedJobStates))}`;

/** Whether a queue, or a whole cluster, has jobs that have not ended. */
export async function hasActiveJobs(
  context: Context,
  organizationId: string,
  of: { clusterId: string } | { clusterQueueId: string },
): Promise<boolean> {
  const jobs = context.db
    .selectFrom('jobs')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('type', '=', 'command')
    .where(unfinished)
    .where(hasPipeline('jobs.pipelineId'));
  const within =
    'clusterId' in of
      ? jobs.where('clusterId', '=', of.clusterId)
      : jobs.where('clusterQueueId', '=', of.clusterQueueId);
  return (await within.limit(1).executeTakeFirst()) !== undefined;
}
