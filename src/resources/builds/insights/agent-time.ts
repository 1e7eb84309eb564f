import { sql } from 'kysely';
import {
  type AgentTimeSum,
  type BuildInsight,
  type Insight,
  noInsight,
  withAgentTime,
} from '../../../domain/builds/insights/insight.js';
import { timeKey } from '../../../domain/builds/insights/insight-times.js';
import type { RollupSpan } from '../../../domain/builds/insights/rollup.js';
import { planHours } from '../../../domain/builds/insights/rollup-spans.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Db } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import type { InsightsOf } from './insight-rows.js';

/** Groups that the time of agents is known of, with the longest rollups that it is added up from. */
const longest: Readonly<Partial<Record<InsightsOf['by'], RollupSpan>>> = { queue: 'month', day: 'day', hour: 'hour' };

/**
 * Adds the time of agents to figures by queue, day or hour: that of the hours of UTC with a part between the times, of
 * all agents or those of the queues that are asked for. Agents run jobs of any pipeline, so there is none where only a
 * part of the jobs is counted. Queues of which agents were connected have rows without builds too.
 */
export async function addAgentTime(
  context: Context,
  of: InsightsOf,
  rows: readonly BuildInsight[],
): Promise<Insight[]> {
  const span = longest[of.by];
  const isOfPart = of.pipelineId !== null || of.branch !== null || of.step !== null;
  if (span === undefined || isOfPart) return rows.map((row) => withAgentTime(row, undefined));
  const times = await readAgentTime(context, of, span);
  const all = of.by === 'queue' ? await withQueues(context, rows, [...times.keys()]) : rows;
  return all.map((row) => withAgentTime(row, times.get(of.by === 'queue' ? row.subject : row.key)));
}

/** Time of agents by the id of their queue, or by the key of the day or hour. */
async function readAgentTime(
  { db, now }: Context,
  { organizationId, by, queues, from, to }: InsightsOf,
  span: RollupSpan,
): Promise<Map<string, AgentTimeSum>> {
  const stretches = planHours({ from: from.getTime(), to: to.getTime() }, { now: now.getTime(), longest: span });
  const sums = new Map<string, AgentTimeSum>();
  if (stretches.length === 0) return sums;
  const subject = by === 'queue' ? sql`r.cluster_queue_id::text` : sql`null::text`;
  const time =
    by === 'queue' ? sql`null::timestamptz` : sql`date_bin(${`1 ${by}`}::interval, r.begins_at, timestamptz 'epoch')`;
  const pieces = stretches.map(
    (each) =>
      sql`r.span = ${each.span} and r.begins_at >= ${new Date(each.from)} and r.begins_at < ${new Date(each.to)}`,
  );
  const { rows } = await sql<AgentTimeSum & { queueId: string | null; beginsAt: Date | null }>`
    select ${subject} as queue_id, ${time} as begins_at, sum(r.connected_ms)::float8 as connected_ms,
      sum(r.busy_ms)::float8 as busy_ms
    from agent_time_rollups r join cluster_queues q on q.id = r.cluster_queue_id
    where r.organization_id = ${organizationId} and (${sql.join(pieces, sql` or `)})
      ${queues === null ? sql`` : sql`and r.cluster_queue_id in (${queues})`}
    group by 1, 2`.execute(db);
  for (const { queueId, beginsAt, connectedMs, busyMs } of rows) {
    const key = by === 'queue' ? queueId : beginsAt && timeKey(by === 'hour' ? by : 'day', beginsAt.getTime());
    if (key !== null) sums.set(key, { connectedMs, busyMs });
  }
  return sums;
}

/** The rows with those of queues in which nothing was built, each by the name that it has among all of them. */
async function withQueues(
  { db }: Context,
  rows: readonly BuildInsight[],
  queues: readonly string[],
): Promise<BuildInsight[]> {
  const present = new Set(rows.map(({ subject }) => subject));
  const idle = queues.filter((id) => !present.has(id));
  if (idle.length === 0) return [...rows];
  const ids = [...present].filter(isQueueId);
  const names = await namesOfQueues(db, [...ids, ...idle]);
  const all = [
    ...rows.map((row) => ({ ...row, key: names.get(row.subject) ?? row.key })),
    ...idle.flatMap((id) => {
      const name = names.get(id);
      return name === undefined ? [] : [noInsight(id, name)];
    }),
  ];
  return all
    .sort((one, other) => other.builds - one.builds || (one.key < other.key ? -1 : 1))
    .slice(0, limits.insightRows);
}

/** Whether a subject is no sum of others. */
const isQueueId = (subject: string): boolean => subject.length === 36;

/** Names of queues by their ids: the key, after the name of the cluster where several of them have it. */
export async function namesOfQueues(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select q.id, case when count(*) over (partition by q.key) > 1 then c.name || '/' || q.key else q.key end as name
    from cluster_queues q join clusters c on c.id = q.cluster_id where q.id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}
