import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { unfinishedBuildStates } from '../../domain/builds/build-state.js';
import { agentHeldStates, type JobState, unfinishedJobStates } from '../../domain/builds/job-state.js';
import { sqlList } from '../../entities/sql-list.js';
import { releaseConcurrencyOf } from './apply-changes.js';

/** Deleted pipelines of one organization. */
interface DeletedPipelines {
  organizationId: string;
  pipelineIds: readonly string[];
}

const heldStates: readonly JobState[] = agentHeldStates;
const otherStates = unfinishedJobStates.filter((state) => !heldStates.includes(state));

/**
 * Cancels unfinished jobs and builds of deleted pipelines: all jobs that agents hold, which are as many as agents, and of
 * the others, and of builds, at most `most`. The agents are free, queues and concurrency groups go on without them, and
 * tokens and log chunks of the jobs are refused from then on. They are canceled in sets and without events, since nobody
 * sees them any more. Returns the number of jobs and builds; 0 once all have ended.
 */
export async function cancelUnfinished(context: Context, pipelines: DeletedPipelines, most: number): Promise<number> {
  const { db, now } = context;
  const jobs = await unfinishedJobs(context, pipelines, most);
  if (jobs.length > 0) {
    const buildIds = [...new Set(jobs.map(({ buildId }) => buildId))];
    await db.selectFrom('builds').select('id').where('id', 'in', buildIds).orderBy('id').forUpdate().execute();
    const canceled = await db
      .updateTable('jobs')
      .set({
        state: 'canceled',
        canceledAt: now,
        finishedAt: sql<Date>`greatest(${now}::timestamptz, started_at)`,
        deadlineAt: null,
      })
      .set((eb) => ({ attempt: eb('attempt', '+', 1) }))
      .where(
        'id',
        'in',
        jobs.map(({ id }) => id),
      )
      .where('state', 'in', unfinishedJobStates)
      .returning('concurrencyGroup')
      .execute();
    for (const group of new Set(canceled.map(({ concurrencyGroup }) => concurrencyGroup)))
      releaseConcurrencyOf(context, pipelines.organizationId, group);
  }
  // A build ends after its jobs.
  return jobs.length >= most ? jobs.length : jobs.length + (await cancelBuilds(context, pipelines, most));
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
  const held = await inStates(heldStates).execute();
  return [...held, ...(await inStates(otherStates).limit(most).execute())];
}

async function cancelBuilds({ db, now }: Context, { pipelineIds }: DeletedPipelines, most: number): Promise<number> {
  const unfinished = db
    .selectFrom('builds')
    .select('id')
    .where(sql<boolean>`pipeline_id = any(${[...pipelineIds]}::uuid[])`)
    .where('state', 'in', unfinishedBuildStates)
    .orderBy('id')
    .limit(most)
    .forUpdate();
  const { numUpdatedRows } = await db
    .updateTable('builds')
    .set({ state: 'canceled', canceledAt: now, finishedAt: sql<Date>`greatest(${now}::timestamptz, started_at)` })
    .where('id', 'in', unfinished)
    .where('state', 'in', unfinishedBuildStates)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
