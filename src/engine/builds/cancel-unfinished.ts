import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { agentHeldStates, type JobState, unfinishedJobStates } from '../../domain/builds/job-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { cancelBuildsUnseen } from '../state/builds.js';
import { cancelJobsUnseen, releaseConcurrencyOf } from '../state/jobs.js';

/** Deleted pipelines of one organization. */
interface DeletedPipelines {
  organizationId: string;
  pipelineIds: readonly string[];
}

const heldStates: readonly JobState[] = agentHeldStates;
const otherStates = unfinishedJobStates.filter((state) => !heldStates.includes(state));

/**
 * Cancels unfinished jobs and builds of deleted pipelines: all jobs that agents hold, which are as many as agents, and
 * of the others, and of builds, at most `most`. The agents are free, queues and concurrency groups go on without them,
 * and tokens and log chunks of the jobs are refused from then on. They are canceled in sets and without events, since
 * nobody sees them any more. Returns the number of jobs and builds; 0 once all have ended.
 */
export async function cancelUnfinished(context: Context, pipelines: DeletedPipelines, most: number): Promise<number> {
  const { db } = context;
  const jobs = await unfinishedJobs(context, pipelines, most);
  if (jobs.length > 0) {
    const buildIds = [...new Set(jobs.map(({ buildId }) => buildId))];
    await db.selectFrom('builds').select('id').where('id', 'in', buildIds).orderBy('id').forUpdate().execute();
    const groups = await cancelJobsUnseen(
      context,
      jobs.map(({ id }) => id),
    );
    for (const group of new Set(groups)) releaseConcurrencyOf(context, pipelines.organizationId, group);
  }
  // A build ends after its jobs.
  return jobs.length >= most
    ? jobs.length
    : jobs.length + (await cancelBuildsUnseen(context, pipelines.pipelineIds, most));
}

async function unfinishedJobs(
  { db }: Context,
  { pipelineIds }: DeletedPipelines,
  most: number,
): Promise<{ id: string; buildId: string }[]> {
  const inStates = (states: readonly JobState[]) =>
    db
      .selectFrom('jobs')
      .select(['id', 'buildId'])
      .where(sql<boolean>`pipeline_id = any(${[...pipelineIds]}::uuid[])`)
      .where(sql<boolean>`state in ${sql.raw(sqlList(states))}`);
  const heldJobs = await inStates(heldStates).execute();
  return [...heldJobs, ...(await inStates(otherStates).limit(most).execute())];
}
