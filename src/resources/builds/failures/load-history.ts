import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { ComparedJob, StepAttempt } from '../../../domain/builds/failures/job-failure.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import { limits } from '../../../domain/limits/limits.js';
import type { JobRow } from '../../../entities/database.js';
import { group } from '../../../loaders/batch-loader.js';

type AttemptRow = StepAttempt & { ofJob: string };

/**
 * How the steps of failed jobs ended in the builds of their branches up to theirs, newest first, theirs included. A
 * step is known by its key, else by its label or command; a job of a parallel or matrix step by its place in it.
 */
export async function loadAttempts(
  context: Context,
  jobs: readonly Pick<JobRow, 'id'>[],
): Promise<Map<string, StepAttempt[]>> {
  if (jobs.length === 0) return new Map();
  const ids = jobs.map(({ id }) => id);
  const { rows } = await sql<AttemptRow>`
    with failed as (
      select j.id, j.state, j.exit_status, j.signal_reason, j.command, j.parallel_group_index, j.matrix, s.key, s.label,
        b.pipeline_id, b.branch, b.number, b.id as build_id, b.commit, b.created_at
      from jobs j join steps s on s.id = j.step_id join builds b on b.id = j.build_id
      where j.id = any(${sql.val(ids)}::uuid[])
    )
    select f.id as of_job, f.build_id as id, f.number, f.commit, f.created_at, false as passed, f.id as job_id,
      f.state, f.exit_status, f.signal_reason
    from failed f
    union all
    select f.id as of_job, x.id, x.number, x.commit, x.created_at, x.passed, x.job_id,
      x.state, x.exit_status, x.signal_reason
    from failed f cross join lateral (
      select b.id, b.number, b.commit, b.created_at, h.id as job_id, h.state, h.exit_status, h.signal_reason,
        case when h.state = 'finished' then h.passed when h.state = 'timed_out' then false end as passed
      from (
        select id, number, commit, created_at from builds
        where pipeline_id = f.pipeline_id and branch = f.branch and number < f.number and culprit_search_id is null
        order by number desc limit ${limits.failureHistoryBuilds}
      ) as b
      cross join lateral (
        select j.id, j.state, j.passed, j.exit_status, j.signal_reason from steps s join jobs j on j.step_id = s.id
        where s.build_id = b.id and j.type = 'command' and not j.retried
          and j.parallel_group_index is not distinct from f.parallel_group_index
          and j.matrix is not distinct from f.matrix
          and case when f.key is not null then s.key = f.key
            when f.label is not null then s.key is null and s.label = f.label
            else s.key is null and s.label is null and j.command is not distinct from f.command end
        order by s.position, j.position desc limit 1
      ) as h
    ) as x
    order by of_job, number desc`.execute(context.db);
  return group(rows, ({ ofJob }) => ofJob);
}

/** What of the jobs with these ids is compared with what it was in another build. */
export async function loadCompared(context: Context, ids: readonly string[]): Promise<Map<string, ComparedJob>> {
  if (ids.length === 0) return new Map();
  const rows = await context.db
    .selectFrom('jobs as j')
    .innerJoin('steps as s', 's.id', 'j.stepId')
    .leftJoin('agents as a', 'a.id', 'j.agentId')
    .leftJoin('cluster_queues as q', 'q.id', 'j.clusterQueueId')
    .select(['j.id', 'a.name as agentName', 'q.key as queueKey', 'j.startedAt', 'j.finishedAt'])
    .select(sql<JsonObject>`coalesce(s.definition -> 'source', '{}')`.as('source'))
    .where('j.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, ...compared }) => [id, compared]));
}
