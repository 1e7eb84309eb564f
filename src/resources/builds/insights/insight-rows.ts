import { type RawBuilder, sql } from 'kysely';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import type { InsightGroup } from '../../../domain/builds/insights/insight.js';
import type { RollupKind } from '../../../domain/builds/insights/rollup.js';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import type { Context } from '../../../request/context.js';
import { jobHasFailed } from '../failures/job-has-failed.js';
import type { InsightSubjects } from './insight-subjects.js';

export interface InsightsOf extends InsightSubjects {
  organizationId: string;
  by: InsightGroup;
  from: Date;
  to: Date;
}

/** Builds that were created in a time and have ended, of pipelines that the caller may see. */
export function endedBuilds(
  context: Context,
  { organizationId, pipelineId, branch, queues, from, to }: InsightsOf,
): RawBuilder<unknown> {
  const ofPipeline = pipelineId === null ? sql`` : sql`and b.pipeline_id = ${pipelineId}`;
  const ofBranch = branch === null ? sql`` : sql`and b.branch = ${branch}`;
  // Builds without a job in the queue do not count as read.
  const ofQueue =
    queues === null
      ? sql``
      : sql`and exists (select from jobs q where q.build_id = b.id and q.cluster_queue_id in (${queues}))`;
  return sql`
    select b.id, b.pipeline_id, b.branch, b.created_at, b.state = 'failed' as failed,
      extract(epoch from b.finished_at - b.started_at)::float8 as duration
    from builds b
    where b.organization_id = ${organizationId} ${ofPipeline} ${ofBranch} ${ofQueue}
      and b.id >= ${lowestIdAt(from.getTime() - idMayDifferMs)}::uuid
      and b.id < ${lowestIdAt(to.getTime() + idMayDifferMs)}::uuid
      and b.created_at >= ${from} and b.created_at < ${to} and b.finished_at is not null
      and b.culprit_search_id is null
      and ${pipelineOfRowIsVisible(context, 'b.pipelineId', organizationId)}`;
}

/**
 * Rollups that have what is asked for; null where it is a part that they do not have, such as a step of one branch.
 */
export function rollupKindOf({ by, branch, queues, step }: InsightsOf): RollupKind | null {
  const parts = new Set<RollupKind>();
  if (by === 'branch' || by === 'queue' || by === 'step') parts.add(by);
  if (branch !== null) parts.add('branch');
  if (queues !== null) parts.add('queue');
  if (step !== null) parts.add('step');
  const [kind = 'pipeline', ...others] = parts;
  return others.length > 0 ? null : kind;
}

/** Whether durations and failures are those of jobs. */
export const areOfJobs = ({ by, queues, step }: InsightsOf): boolean =>
  queues !== null || step !== null || by === 'queue' || by === 'step';

/** Characters of a command that name a step without key and label. */
const mostOfCommand = 100;

/** Steps are the same in all builds where their pipeline and their key, else their label or command are. */
const stepName = sql`
  coalesce(s.key, nullif(s.label, ''), left(split_part(j.command, E'\\n', 1), ${mostOfCommand}::int), '')`;

/**
 * Command jobs that an agent had, of the builds that the statement calls `b`.
 *
 * @param options.withPrices whether with the prices of their queues
 */
export const jobsOf = (
  of: Pick<InsightsOf, 'by' | 'queues' | 'step'>,
  { withPrices }: { withPrices: boolean },
): RawBuilder<unknown> =>
  selectJobs(
    of,
    sql`b join jobs j on j.build_id = b.id
      ${withPrices ? sql`left join cluster_queues q on q.id = j.cluster_queue_id` : sql``}
      ${of.by === 'step' || of.step !== null ? sql`join steps s on s.id = j.step_id` : sql``}`,
    withPrices ? sql`q.price_per_agent_hour` : noPrice,
  );

const noPrice = sql`null::float8`;

/**
 * The same with their steps, of few builds that the database takes for many: it looks each job up,
 * since to join them would read all jobs that there are.
 */
export const jobsOfFewBuilds = (): RawBuilder<unknown> =>
  selectJobs(
    { by: 'step', queues: null, step: null },
    sql`b cross join lateral (
        select build_id, pipeline_id, step_id, cluster_queue_id, type, state, passed, soft_failed, retried, command,
          runnable_at, assigned_at, started_at, finished_at, id, log_size
        from jobs where build_id = b.id offset 0) as j
      cross join lateral (select key, label from steps where id = j.step_id offset 0) as s`,
    noPrice,
  );

/** Bytes of a job's artifacts that came to the storage, looked up: a join would read all artifacts that there are. */
const artifactBytes = sql`coalesce((
  select sum(file_size) from artifacts where job_id = j.id and stored_at is not null), 0)::float8`;

const selectJobs = (
  { by, queues, step }: Pick<InsightsOf, 'by' | 'queues' | 'step'>,
  from: RawBuilder<unknown>,
  price: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select j.build_id, j.pipeline_id, b.branch, b.created_at, j.cluster_queue_id, j.retried, ${price} as price,
    ${by === 'step' ? stepName : sql`null::text`} as step,
    not j.retried and not j.soft_failed and ${jobHasFailed('j')} as failed,
    extract(epoch from j.assigned_at - j.runnable_at)::float8 as wait,
    extract(epoch from j.finished_at - j.started_at)::float8 as duration,
    j.log_size::float8 as log_bytes, ${artifactBytes} as artifact_bytes
  from ${from}
  where j.type = 'command' and j.started_at is not null
    ${queues === null ? sql`` : sql`and j.cluster_queue_id in (${queues})`}
    ${step === null ? sql`` : sql`and ${stepName} = ${step}`}`;
