import { type RawBuilder, sql } from 'kysely';
import { idMayDifferMs, lowestIdAt } from '../../../database/ids.js';
import type { Insight, InsightGroup } from '../../../domain/builds/insights/insight.js';
import {
  isInsightTime,
  refuseTooManyTimes,
  timesBetween,
  withEveryTime,
} from '../../../domain/builds/insights/insight-times.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem } from '../../../domain/problem.js';
import { pipelineOfRowIsVisible } from '../../../core/find.js';
import type { Context } from '../../../request/context.js';
import type { InsightSubjects } from './insight-subjects.js';

export interface InsightsOf extends InsightSubjects {
  organizationId: string;
  by: InsightGroup;
  from: Date;
  to: Date;
}

/**
 * Figures of the builds that were created in a time and have ended, and of their command jobs: most builds first, days
 * and hours in their order and all of them. Throws `invalid` for more builds than one request reads, or too many hours.
 */
export async function loadInsights(context: Context, of: InsightsOf): Promise<Insight[]> {
  refuseTooManyTimes(of.by, of);
  const builds = endedBuilds(context, of);
  await refuseTooMany(context, builds);
  const ofJobs = of.queues !== null || of.step !== null || of.by === 'queue' || of.by === 'step';
  const figures = ofJobs ? figuresOfJobs(of.by) : figuresOfBuilds(of.by);
  const { rows } = await sql<Insight>`
    with b as materialized (${builds}), j as materialized (${jobsOfBuilds(of)}), figures as (${figures})
    select ${keyOf(of.by)} as key, f.builds::int, f.failed::int,
      f.durations[1] as duration_p50, f.durations[2] as duration_p90, f.durations[3] as duration_p95,
      f.waits[1] as wait_p50, f.waits[2] as wait_p90, f.waits[3] as wait_p95,
      coalesce(f.retried, 0)::int as retried, round(coalesce(f.agent_seconds, 0))::float8 as agent_seconds
    from figures f ${namesOf(of.by)}
    order by f.builds desc, 1 limit ${limits.insightRows}`.execute(context.db);
  return isInsightTime(of.by) ? withEveryTime(timesBetween(of.by, of), rows) : rows;
}

function endedBuilds(
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

async function refuseTooMany({ db }: Context, builds: RawBuilder<unknown>): Promise<void> {
  const most = limits.insightBuilds;
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (${builds} limit ${most + 1}) as read`.execute(db);
  if ((rows[0]?.count ?? 0) > most)
    throw new Problem('invalid', `There are more than ${most} builds between from and to: choose a shorter time`);
}

/** Characters of a command that name a step without key and label. */
const mostOfCommand = 100;

/** Steps are the same in all builds where their pipeline and their key, else their label or command are. */
const stepName = sql`
  coalesce(s.key, nullif(s.label, ''), left(split_part(j.command, E'\\n', 1), ${mostOfCommand}::int), '')`;

const jobsOfBuilds = ({ by, queues, step }: InsightsOf) => sql`
  select j.build_id, j.pipeline_id, b.branch, b.created_at, j.cluster_queue_id, j.retried,
    ${by === 'step' ? stepName : sql`null`} as step,
    not j.retried and (j.state = 'timed_out' or j.state = 'finished' and not j.passed and not j.soft_failed) as failed,
    extract(epoch from j.assigned_at - j.runnable_at)::float8 as wait,
    extract(epoch from j.finished_at - j.started_at)::float8 as duration
  from b join jobs j on j.build_id = b.id
    ${by === 'step' || step !== null ? sql`join steps s on s.id = j.step_id` : sql``}
  where j.type = 'command' and j.started_at is not null
    ${queues === null ? sql`` : sql`and j.cluster_queue_id in (${queues})`}
    ${step === null ? sql`` : sql`and ${stepName} = ${step}`}`;

const percentiles = (column: string) =>
  sql`percentile_cont(array[0.5, 0.9, 0.95]) within group (order by ${sql.ref(column)})`;

/** What the rows of both builds and jobs are grouped by; queues and steps are those of jobs alone. */
const subjects: Readonly<Record<InsightGroup, RawBuilder<unknown>>> = {
  pipeline: sql`pipeline_id`,
  branch: sql`branch`,
  queue: sql`cluster_queue_id`,
  step: sql`pipeline_id::text || ' ' || step`,
  day: sql`date_bin('1 day', created_at, timestamptz 'epoch')`,
  hour: sql`date_bin('1 hour', created_at, timestamptz 'epoch')`,
};

function figuresOfBuilds(by: InsightGroup): RawBuilder<unknown> {
  const subject = subjects[by];
  return sql`
    select ofBuilds.*, ofJobs.waits, ofJobs.retried, ofJobs.agent_seconds
    from (
      select ${subject} as subject, count(*) as builds, count(*) filter (where failed) as failed,
        ${percentiles('duration')} as durations
      from b where ${subject} is not null group by 1
    ) as ofBuilds
    left join (
      select ${subject} as subject, ${percentiles('wait')} as waits, count(*) filter (where retried) as retried,
        sum(duration) as agent_seconds
      from j where ${subject} is not null group by 1
    ) as ofJobs on ofJobs.subject = ofBuilds.subject`;
}

function figuresOfJobs(by: InsightGroup): RawBuilder<unknown> {
  const subject = subjects[by];
  return sql`
    select ${subject} as subject, count(distinct build_id) as builds,
      count(distinct build_id) filter (where failed) as failed, ${percentiles('duration')} as durations,
      ${percentiles('wait')} as waits, count(*) filter (where retried) as retried, sum(duration) as agent_seconds
    from j where ${subject} is not null group by 1`;
}

function keyOf(by: InsightGroup): RawBuilder<unknown> {
  switch (by) {
    case 'pipeline':
      return sql`p.slug`;
    case 'branch':
      return sql`f.subject`;
    case 'queue':
      // A key alone where it is that of one cluster.
      return sql`case when count(*) over (partition by q.key) > 1 then c.name || '/' || q.key else q.key end`;
    case 'step':
      return sql`p.slug || '/' || substr(f.subject, 38)`;
    case 'day':
      return sql`to_char(f.subject at time zone 'UTC', 'YYYY-MM-DD')`;
    case 'hour':
      return sql`to_char(f.subject at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
  }
}

function namesOf(by: InsightGroup): RawBuilder<unknown> {
  switch (by) {
    case 'pipeline':
      return sql`join pipelines p on p.id = f.subject`;
    case 'branch':
    case 'day':
    case 'hour':
      return sql``;
    case 'queue':
      return sql`join cluster_queues q on q.id = f.subject join clusters c on c.id = q.cluster_id`;
    case 'step':
      return sql`join pipelines p on p.id = left(f.subject, 36)::uuid`;
  }
}
