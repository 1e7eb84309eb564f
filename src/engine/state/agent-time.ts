import { sql } from 'kysely';
import {
  type AgentHour,
  type AgentPresence,
  type Heard,
  hoursOf,
  timeToCount,
} from '../../domain/agents/agent-time.js';
import type { AgentState } from '../../domain/agents/agent-state.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import { rollupSpans } from '../../domain/builds/insights/rollup.js';
import { spanBegin } from '../../domain/builds/insights/rollup-spans.js';
import type { Db } from '../../entities/database.js';
import { sqlList } from '../../entities/sql-list.js';

/**
 * Begins to count the time of connected agents of which nothing is counted, some at once: those that were connected
 * before it was counted at all, or through a replica of a former release. Their time before is not counted. Returns
 * the number of agents.
 */
export async function beginToCount(db: Db, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    update agents set uncounted_since_at = heartbeat_at, uncounted_since_ms = heard_ms
    where id in (
      select id from agents where connection_state in ('connected', 'stopping') and uncounted_since_at is null
      order by id limit ${most} for update skip locked
    )`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** An agent of which a part of its time is not counted. */
interface Uncounted {
  id: string;
  connectionState: AgentState;
  uncountedSinceAt: Date;
  uncountedSinceMs: number;
  heartbeatAt: Date;
  heardMs: number;
  disconnectedAt: Date | null;
  lostAt: Date | null;
  isDue: boolean;
}

/**
 * Adds the time of agents to the rollups of their queues, of some after the agent with an id; returns the last of them,
 * null where there are no more. Each moment of an agent is added once, whichever replicas run: the statement
 * that adds it also writes from where on the rest is missing, and does neither where that has changed since.
 *
 * @param options.notSince agents whose time was counted at this time or later are left for later
 */
export async function countAgentTime(
  db: Db,
  { after, most, notSince, now }: { after: string | null; most: number; notSince: Date; now: Date },
): Promise<string | null> {
  const { rows: agents } = await sql<Uncounted>`
    select id, connection_state, uncounted_since_at, coalesce(uncounted_since_ms, heard_ms)::float8
      as uncounted_since_ms, heartbeat_at, heard_ms::float8 as heard_ms, disconnected_at, lost_at,
      connection_state not in ('connected', 'stopping') or uncounted_since_at < ${notSince}
        or uncounted_since_at > ${now} as is_due
    from agents where uncounted_since_at is not null and (${after}::uuid is null or id > ${after}::uuid)
    order by id limit ${most}`.execute(db);
  const counted = agents.flatMap((agent) => {
    if (!agent.isDue) return [];
    const { period, next } = timeToCount(presenceOf(agent));
    return period || !isSame(agent, next) ? [{ agent, period, next }] : [];
  });
  const jobs = await jobsIn(
    db,
    counted.flatMap(({ agent, period }) => (period ? [{ id: agent.id, ...period }] : [])),
  );
  const hours = counted.flatMap(({ agent, period }) =>
    period ? hoursOf(period, jobs.get(agent.id) ?? []).map((hour) => ({ id: agent.id, hour })) : [],
  );
  if (counted.length > 0) await addTime(db, counted, hours);
  return agents.length < most ? null : (agents.at(-1)?.id ?? null);
}

const presenceOf = (agent: Uncounted): AgentPresence => ({
  state: agent.connectionState,
  since: { at: agent.uncountedSinceAt.getTime(), heardMs: agent.uncountedSinceMs },
  last: { at: agent.heartbeatAt.getTime(), heardMs: agent.heardMs },
  disconnectedAt: agent.disconnectedAt?.getTime() ?? null,
  lostAt: agent.lostAt?.getTime() ?? null,
});

const isSame = (agent: Uncounted, next: Heard | null): boolean =>
  next?.at === agent.uncountedSinceAt.getTime() && next.heardMs === agent.uncountedSinceMs;

interface PeriodOf {
  id: string;
  from: number;
  to: number;
}

/**
 * When agents held jobs, of the jobs that they had in a time: those that they got in it, and the last one before, since
 * an agent has one at a time.
 */
async function jobsIn(db: Db, periods: readonly PeriodOf[]): Promise<Map<string, PeriodOf[]>> {
  const byAgent = new Map<string, PeriodOf[]>();
  if (periods.length === 0) return byAgent;
  const times = (of: (period: PeriodOf) => number) => periods.map((period) => new Date(of(period)).toISOString());
  const { rows } = await sql<{ id: string; assignedAt: Date; finishedAt: Date | null; isHeld: boolean }>`
    select p.id, j.assigned_at, j.finished_at, j.state in ${sql.raw(sqlList(agentHeldStates))} as is_held
    from unnest(${periods.map(({ id }) => id)}::uuid[], ${times(({ from }) => from)}::timestamptz[],
      ${times(({ to }) => to)}::timestamptz[]) as p(id, from_at, to_at)
    cross join lateral (
      (select assigned_at, finished_at, state from jobs
        where agent_id = p.id and assigned_at >= p.from_at and assigned_at < p.to_at)
      union all
      (select assigned_at, finished_at, state from jobs
        where agent_id = p.id and assigned_at < p.from_at order by assigned_at desc, id desc limit 1)
    ) as j`.execute(db);
  for (const { id, assignedAt, finishedAt, isHeld } of rows) {
    const to = isHeld ? Infinity : (finishedAt?.getTime() ?? -Infinity);
    byAgent.set(id, [...(byAgent.get(id) ?? []), { id, from: assignedAt.getTime(), to }]);
  }
  return byAgent;
}

/** Adds hours of agents to the rollups of their queues, and moves the time from which on the rest is missing. */
async function addTime(
  db: Db,
  agents: readonly { agent: Uncounted; next: Heard | null }[],
  hours: readonly { id: string; hour: AgentHour }[],
): Promise<void> {
  const pieces = hours.flatMap(({ id, hour: { beginsAt, connectedMs, busyMs } }) =>
    rollupSpans.map((span) => ({
      id,
      span,
      begins_at: new Date(spanBegin(span, beginsAt)),
      connected_ms: connectedMs,
      busy_ms: busyMs,
    })),
  );
  const moves = agents.map(({ agent, next }) => ({
    id: agent.id,
    before: agent.uncountedSinceAt,
    next_at: next && new Date(next.at),
    next_ms: next?.heardMs ?? null,
  }));
  // Agents whose rows another transaction holds are left for the next time. A queue that is deleted has no time.
  await sql`
    with moves as (
      select * from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as m(
        id uuid, before timestamptz, next_at timestamptz, next_ms bigint)
    ), free as (
      select a.id, m.next_at, m.next_ms from agents a join moves m on m.id = a.id
      where a.uncounted_since_at = m.before order by a.id for update of a skip locked
    ), moved as (
      update agents a set uncounted_since_at = free.next_at, uncounted_since_ms = free.next_ms
      from free where a.id = free.id
      returning a.id, a.organization_id, a.cluster_queue_id
    )
    insert into agent_time_rollups as r
      (organization_id, span, begins_at, cluster_queue_id, cluster_id, connected_ms, busy_ms)
    select m.organization_id, p.span, p.begins_at, q.id, q.cluster_id, sum(p.connected_ms), sum(p.busy_ms)
    from moved m
    join cluster_queues q on q.id = m.cluster_queue_id
    join jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb) as p(
      id uuid, span text, begins_at timestamptz, connected_ms bigint, busy_ms bigint) on p.id = m.id
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4
    on conflict (organization_id, span, begins_at, cluster_queue_id) do update
      set connected_ms = r.connected_ms + excluded.connected_ms, busy_ms = r.busy_ms + excluded.busy_ms`.execute(db);
}
