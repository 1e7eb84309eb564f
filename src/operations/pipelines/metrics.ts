import { sql } from 'kysely';
import { z } from 'zod';
import { initialDefaultBranch } from '../../domain/pipelines/default-branch.js';
import { visiblePipelineIds } from '../../core/find.js';
import { defineOperation } from '../../core/operation.js';

/** How the builds of a pipeline's default branch went in the last days. */
export interface PipelineMetrics {
  /** Builds that were created. */
  builds: number;
  /** Median seconds from start to end of the builds that passed; null without one. */
  seconds: number | null;
  /** Builds that passed, of those that passed or failed, from 0 to 1; null without one. */
  reliability: number | null;
}

/** How far the metrics look back. */
export const pipelineMetricsDays = 7;
/** Of a pipeline with more builds than this, the newest are looked at. */
const buildsAtMost = 1_000;

/** Returns the metrics of each of many pipelines; those that the caller may not see have none. */
export const readPipelineMetrics = defineOperation({
  name: 'pipeline.metrics',
  summary: 'Returns how fast, reliable and frequent the builds of pipelines were.',
  kind: 'query',
  mayLag: true,
  batchOf: 'build.list',
  scope: 'read_builds',
  access: 'authenticated',
  input: z.object({ pipelineIds: z.array(z.uuid()).max(500) }),
  subject: async () => ({}),
  run: async (context, { pipelineIds }): Promise<Map<string, PipelineMetrics>> => {
    const visibleIds = await visiblePipelineIds(context, pipelineIds);
    const since = new Date(context.now.getTime() - pipelineMetricsDays * 24 * 60 * 60_000);
    const { rows } = await sql<PipelineMetrics & { id: string }>`
      select p.id, counted.builds, counted.seconds, counted.reliability
      from pipelines p
      cross join lateral (
        select count(*)::int as builds,
          percentile_cont(0.5) within group (
            order by case when state = 'passed' then extract(epoch from finished_at - started_at) end
          )::float8 as seconds,
          (count(*) filter (where state = 'passed'))::float8
            / nullif(count(*) filter (where state in ('passed', 'failed')), 0) as reliability
        from (
          select b.state, b.started_at, b.finished_at from builds b
          where b.pipeline_id = p.id and b.created_at >= ${since} and b.culprit_search_id is null
            and b.branch = coalesce(nullif(p.default_branch, ''), ${initialDefaultBranch})
          order by b.created_at desc limit ${buildsAtMost}
        ) as newest
      ) as counted
      where p.id = any(${sql.val(visibleIds)}::uuid[])`.execute(context.db);
    return new Map(rows.map(({ id, ...metrics }) => [id, metrics]));
  },
});
