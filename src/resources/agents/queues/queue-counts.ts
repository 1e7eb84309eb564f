import { type RawBuilder, sql } from 'kysely';
import { hasPipeline } from '../../../database/has-pipeline.js';
import { agentHeldStates, unfinishedJobStates } from '../../../domain/builds/job-state.js';
import { sqlList } from '../../../entities/sql-list.js';

/** Agents and command jobs of a queue now, as scalers and dashboards know them. */
export interface QueueCounts {
  /** Connected agents that hold a job. */
  busy: number;
  /** Connected agents that hold none; among them those that are being stopped, and else those that are paused. */
  idle: number;
  stopping: number;
  paused: number;
  /** Jobs that wait for an agent. */
  scheduled: number;
  /** Jobs that an agent holds. */
  running: number;
  /** Jobs that wait for something else. */
  waiting: number;
}

/** Columns of {@link countsByQueue}. */
export const queueCountColumns = [
  'busy',
  'idle',
  'stopping',
  'paused',
  'scheduled',
  'running',
  'waiting',
] as const satisfies readonly (keyof QueueCounts)[];

/**
 * A query with a row of counts for each queue that has agents or unfinished jobs, in the column `queue` its id: of one
 * cluster, or of the whole installation. Reads unfinished jobs and connected agents only, by partial indexes.
 */
export function countsByQueue(
  now: Date,
  of: { organizationId: string; clusterId: string } | null,
): RawBuilder<QueueCounts & { queue: string | null }> {
  const holding = sql.raw(sqlList(agentHeldStates));
  const agentsOf = of ? sql`a.cluster_id = ${of.clusterId} and` : sql``;
  const jobsOf = of
    ? sql`jobs.organization_id = ${of.organizationId} and jobs.cluster_id = ${of.clusterId} and`
    : sql``;
  return sql`
    select coalesce(a.queue, j.queue) as queue,
      coalesce(busy, 0)::int as busy, coalesce(idle, 0)::int as idle, coalesce(stopping, 0)::int as stopping,
      coalesce(paused, 0)::int as paused, coalesce(scheduled, 0)::int as scheduled,
      coalesce(running, 0)::int as running, coalesce(waiting, 0)::int as waiting
    from (
      select cluster_queue_id as queue, count(*) filter (where held) as busy, count(*) filter (where not held) as idle,
        count(*) filter (where not held and stops) as stopping,
        count(*) filter (where not held and not stops and rests) as paused
      from (
        select a.cluster_queue_id, a.connection_state = 'stopping' as stops,
          a.paused_at is not null and (a.paused_timeout_in_minutes is null
            or a.paused_at + make_interval(mins => a.paused_timeout_in_minutes) > ${now}) as rests,
          exists (select 1 from jobs h where h.agent_id = a.id and h.state in ${holding}) as held
        from agents a where ${agentsOf} a.connection_state in ('connected', 'stopping')
      ) as each
      group by cluster_queue_id
    ) as a
    full join (
      select cluster_queue_id as queue,
        count(*) filter (where state in ('scheduled', 'reserved')) as scheduled,
        count(*) filter (where state in ${holding}) as running,
        count(*) filter (where state not in ('scheduled', 'reserved') and state not in ${holding}) as waiting
      from jobs
      where ${jobsOf} type = 'command' and state in ${sql.raw(sqlList(unfinishedJobStates))}
        and ${hasPipeline('jobs.pipelineId')}
      group by cluster_queue_id
    ) as j on j.queue = a.queue`;
}
