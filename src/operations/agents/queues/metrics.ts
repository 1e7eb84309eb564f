import { sql } from 'kysely';
import { z } from 'zod';
import { agentHeldStates } from '../../../domain/builds/job-state.js';
import { sqlList } from '../../../entities/sql-list.js';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { withinMembership } from '../../../core/membership.js';
import { defineOperation } from '../../../core/operation.js';

/** What happens in a queue: its agents and jobs now, and its jobs of the last minutes. */
export interface QueueMetrics {
  /** Start of the minutes that are looked back at. */
  timestamp: Date;
  connectedAgentsCount: number;
  runningJobsCount: number;
  waitingJobsCount: number;
  jobsPassedCount: number;
  jobsFailedCount: number;
  /** Seconds from ready to assigned, of the jobs that were assigned in these minutes; zero without one. */
  waitTimeSec: { min: number; max: number; p50: number; p95: number };
}

/** How far the counts of ended and assigned jobs look back. */
export const queueMetricsMinutes = 15;
/** Of a queue with more jobs than this, the newest are looked at. */
const jobsAtMost = 10_000;

interface Counts extends QueueMetrics {
  id: string;
  min: number;
  max: number;
  p50: number;
  p95: number;
}

/** Returns the metrics of each of many queues. */
export const readQueueMetrics = defineOperation({
  name: 'queue.metrics',
  summary: 'Returns what happens in queues: agents, jobs and how long jobs waited.',
  kind: 'query',
  batchOf: 'queue.get',
  scope: 'read_clusters',
  access: 'authenticated',
  input: z.object({ queueIds: z.array(z.uuid()).max(500) }),
  subject: async () => ({}),
  run: async ({ db, actor, now }, { queueIds }): Promise<Map<string, QueueMetrics>> => {
    const since = new Date(now.getTime() - queueMetricsMinutes * 60_000);
    const heldStates = sql.raw(sqlList(agentHeldStates));
    const { rows } = await sql<Counts>`
      select q.id, agents.count as connected_agents_count, now.running as running_jobs_count, now.waiting as
        waiting_jobs_count,
        ended.passed as jobs_passed_count, ended.failed as jobs_failed_count, ended.min, ended.max, ended.p50, ended.p95
      from cluster_queues q
      cross join lateral (
        select count(*)::int as count from agents a
        where a.cluster_queue_id = q.id and a.connection_state in ('connected', 'stopping')
      ) as agents
      cross join lateral (
        select count(*) filter (where state in ${heldStates})::int as running,
          count(*) filter (where state in ('scheduled', 'reserved'))::int as waiting
        from (
          select state from jobs j
          where j.cluster_queue_id = q.id and j.type = 'command' and (j.state in ('scheduled', 'reserved') or
            j.state in ${heldStates})
            and ${hasPipeline('j.pipelineId')}
          limit ${jobsAtMost}
        ) as unfinished
      ) as now
      cross join lateral (
        select count(*) filter (where passed and finished_at >= ${since})::int as passed,
          count(*) filter (where not passed and state = 'finished' and finished_at >= ${since})::int as failed,
          coalesce(min(waited), 0)::float8 as min, coalesce(max(waited), 0)::float8 as max,
          coalesce(percentile_cont(0.5) within group (order by waited), 0)::float8 as p50,
          coalesce(percentile_cont(0.95) within group (order by waited), 0)::float8 as p95
        from (
          select passed, state, finished_at,
            case when assigned_at >= ${since} then extract(epoch from assigned_at - coalesce(runnable_at,
              scheduled_at)) end as waited
          from jobs j where j.cluster_queue_id = q.id and j.type = 'command' and ${hasPipeline('j.pipelineId')}
          order by j.id desc limit ${jobsAtMost}
        ) as newest
      ) as ended
      where q.id = any(${sql.val(queueIds)}::uuid[]) and ${withinMembership(actor, 'q.organizationId')}`.execute(db);
    return new Map(
      rows.map(({ id, min, max, p50, p95, ...counts }) => [
        id,
        { ...counts, timestamp: since, waitTimeSec: { min, max, p50, p95 } },
      ]),
    );
  },
});
