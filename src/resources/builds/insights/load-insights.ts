import { type RawBuilder, sql } from 'kysely';
import type { BuildInsight, Insight, InsightGroup } from '../../../domain/builds/insights/insight.js';
import {
  isInsightTime,
  refuseTooManyTimes,
  timesBetween,
  withEveryTime,
} from '../../../domain/builds/insights/insight-times.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Context } from '../../../request/context.js';
import { addAgentTime } from './agent-time.js';
import { areOfJobs, endedBuilds, type InsightsOf, jobsOf } from './insight-rows.js';
import { insightsOfParts, insightsOfRollups, planOf } from './insights-of-rollups.js';
import { type Parts, partsOf } from './rows-in-parts.js';

/** Builds, and jobs of them, of which one statement computes the figures with exact percentiles. */
const fewBuilds = 1_000;
const fewJobs = 5_000;

/**
 * Figures of the builds that were created in a time and have ended, and of their command jobs: most builds first, days
 * and hours in their order and all of them. Those of hours that are over come from rollups where these have them, and
 * rows of many builds are read in parts, so that percentiles are near the true ones. Throws `invalid` for more than one
 * request reads, or too many hours or days.
 */
export async function loadInsights(context: Context, of: InsightsOf): Promise<Insight[]> {
  refuseTooManyTimes(of.by, of);
  const plan = await planOf(context, of);
  const rows = plan ? await insightsOfRollups(context, of, plan) : await insightsOfRows(context, of);
  return addAgentTime(context, of, isInsightTime(of.by) ? withEveryTime(timesBetween(of.by, of), rows) : rows);
}

/** The figures of rows alone. */
async function insightsOfRows(context: Context, of: InsightsOf): Promise<BuildInsight[]> {
  const parts = await partsOf(context, of);
  return (await areFew(context, of, parts)) ? insightsOfFewRows(context, of) : insightsOfParts(context, of, parts);
}

/** Whether one statement may read them: the embedded database answers nothing else meanwhile. */
async function areFew(context: Context, of: InsightsOf, { builds }: Parts): Promise<boolean> {
  if (builds > fewBuilds) return false;
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from (
      select from (${endedBuilds(context, of)}) as b join jobs j on j.build_id = b.id limit ${fewJobs + 1}
    ) as read`.execute(context.db);
  return (rows[0]?.jobs ?? 0) <= fewJobs;
}

/** Figures with exact percentiles. */
async function insightsOfFewRows(context: Context, of: InsightsOf): Promise<BuildInsight[]> {
  const builds = endedBuilds(context, of);
  const figures = areOfJobs(of) ? figuresOfJobs(of.by) : figuresOfBuilds(of.by);
  const { rows } = await sql<BuildInsight>`
    with b as materialized (${builds}), j as materialized (${jobsOf(of, { withPrices: true })}), figures as (${figures})
    select f.subject::text as subject, ${keyOf(of.by)} as key, f.builds::int, f.failed::int,
      f.durations[1] as duration_p50, f.durations[2] as duration_p90, f.durations[3] as duration_p95,
      f.waits[1] as wait_p50, f.waits[2] as wait_p90, f.waits[3] as wait_p95,
      coalesce(f.retried, 0)::int as retried, round(coalesce(f.agent_seconds, 0))::float8 as agent_seconds,
      round((f.cost / 3600)::numeric, 4)::float8 as cost,
      coalesce(f.log_bytes, 0)::float8 as log_bytes, coalesce(f.artifact_bytes, 0)::float8 as artifact_bytes
    from figures f ${namesOf(of.by)}
    order by f.builds desc, 2 limit ${limits.insightRows}`.execute(context.db);
  return rows;
}

const percentiles = (column: string) =>
  sql`percentile_cont(array[0.5, 0.9, 0.95]) within group (order by ${sql.ref(column)})`;

const timeAndBytes = sql`
  sum(duration) as agent_seconds, sum(duration * price) as cost,
  sum(log_bytes) as log_bytes, sum(artifact_bytes) as artifact_bytes`;

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
    select ofBuilds.*, ofJobs.waits, ofJobs.retried, ofJobs.agent_seconds, ofJobs.cost,
      ofJobs.log_bytes, ofJobs.artifact_bytes
    from (
      select ${subject} as subject, count(*) as builds, count(*) filter (where failed) as failed,
        ${percentiles('duration')} as durations
      from b where ${subject} is not null group by 1
    ) as ofBuilds
    left join (
      select ${subject} as subject, ${percentiles('wait')} as waits, count(*) filter (where retried) as retried,
        ${timeAndBytes}
      from j where ${subject} is not null group by 1
    ) as ofJobs on ofJobs.subject = ofBuilds.subject`;
}

function figuresOfJobs(by: InsightGroup): RawBuilder<unknown> {
  const subject = subjects[by];
  return sql`
    select ${subject} as subject, count(distinct build_id) as builds,
      count(distinct build_id) filter (where failed) as failed, ${percentiles('duration')} as durations,
      ${percentiles('wait')} as waits, count(*) filter (where retried) as retried,
      ${timeAndBytes}
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
