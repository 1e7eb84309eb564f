import { sql } from 'kysely';
import { type IdleAgent, planDispatch } from '../../domain/agents/plan-dispatch.js';
import type { ClusterQueueRow, Db } from '../../entities/database.js';
import { type Candidate, lookIntoQueue } from './dispatch-candidates.js';
import { earlierAgents, isFresh, otherIdleAgents, patienceMs } from './prefer-agents.js';

/** An agent that waits for a job in this process. */
export interface WaitingAgent {
  id: string;
  priority: number | null;
  metaData: readonly string[];
}

/** A job and the agent it is to be offered to. */
export interface PlannedOffer {
  job: Candidate;
  agentId: string;
}

export interface PassPlan {
  queue: ClusterQueueRow;
  offers: PlannedOffer[];
  /**
   * The offers without jobs that were offered, builds that turned out to be held by others, and agents that are served
   * or gone.
   */
  without(gone: Record<'jobs' | 'builds' | 'agents', ReadonlySet<string>>): PlannedOffer[];
  /** When jobs that are left to agents elsewhere are no longer; null where none is. */
  leftUntil: Date | null;
  /** Whether the queue may have more jobs than were looked at. */
  more: boolean;
}

export interface PassHooks {
  /** Ids of agents that asked for work so lately that the database need not know yet. */
  seen?: () => readonly string[];
  /** Takes the sets of agent rules of the jobs that wait in the queue; null if they are too many. */
  rules?: (sets: string[][] | null) => void;
}

/** Most offers of one pass, which are made in one transaction. */
const offersAtMost = 20;
/** Jobs of each set of rules beyond the number of agents, so that a few locked builds do not hide the rest. */
const spareJobs = 20;
/** Agents whose last success is looked up, and how many of their jobs are for it. */
const warmthOfAtMost = 100;
const warmthWithinJobs = 3;

/**
 * Plans a pass over a queue without a lock: what each of the waiting agents is to be offered, {@link planDispatch} says
 * how. Null if the queue does not dispatch or has no job for any of them.
 */
export async function planPass(
  db: Db,
  queueId: string,
  waiting: readonly WaitingAgent[],
  now: Date,
  hooks: PassHooks = {},
): Promise<PassPlan | null> {
  const most = Math.min(waiting.length, offersAtMost) + spareJobs;
  const tags = waiting.map((agent) => agent.metaData);
  const look = await lookIntoQueue(db, queueId, tags, { ofEachSet: most, atMost: most });
  if (!look) return null;
  hooks.rules?.(look.rules);
  const { queue, candidates } = look;
  if (candidates.length === 0) return null;
  const fresh = candidates.filter((job) => isFresh(job, now));
  const ids = waiting.map((agent) => agent.id);
  const others = fresh.length > 0 ? await otherIdleAgents(db, queueId, ids, now, hooks.seen?.()) : [];
  const warmth = waiting.length > candidates.length ? await lastSuccesses(db, waiting) : new Map<string, Date>();
  const agents: IdleAgent[] = [
    ...waiting.map(({ id, priority, metaData }) => ({
      id,
      priority,
      metaData,
      here: true,
      lastSuccessAt: warmth.get(id) ?? null,
    })),
    ...others.map((agent) => ({ ...agent, here: false, lastSuccessAt: null })),
  ];
  const jobs = await Promise.all(
    candidates.map(async (job) => ({
      ...job,
      fresh: isFresh(job, now),
      earlierAgentIds: await earlierAgents(db, queue, job),
    })),
  );
  const dispatchOf = { key: queue.key, affinity: queue.retryAgentAffinity };
  const plan = planDispatch(jobs, agents, dispatchOf);
  const byId = new Map(candidates.map((job) => [job.id, job]));
  const left = plan.left.flatMap((id) => byId.get(id)?.runnableAt?.getTime() ?? []);
  const offersOf = ({ offers }: Pick<typeof plan, 'offers'>) =>
    offers.slice(0, offersAtMost).flatMap(({ jobId, agentId }) => {
      const job = byId.get(jobId);
      return job ? [{ job, agentId }] : [];
    });
  return {
    queue,
    offers: offersOf(plan),
    without: (gone) =>
      offersOf(
        planDispatch(
          jobs.filter(({ id, buildId }) => !gone.jobs.has(id) && !gone.builds.has(buildId)),
          agents.filter(({ id }) => !gone.agents.has(id)),
          dispatchOf,
        ),
      ),
    leftUntil: left.length > 0 ? new Date(Math.min(...left) + patienceMs) : null,
    more: candidates.length === most || plan.offers.length > offersAtMost,
  };
}

/** When agents last passed a job, as their latest jobs say: of those of the highest priority. */
async function lastSuccesses(db: Db, waiting: readonly WaitingAgent[]): Promise<Map<string, Date>> {
  const agents = [...waiting]
    .sort((a, b) => (b.priority ?? -Infinity) - (a.priority ?? -Infinity) || 0)
    .slice(0, warmthOfAtMost)
    .map(({ id }) => id);
  const { rows } = await sql<{ id: string; finishedAt: Date }>`
    select asked.id, max(latest.finished_at) as finished_at
    from unnest(${agents}::uuid[]) as asked(id)
    cross join lateral (select finished_at, passed from jobs where agent_id = asked.id order by id desc limit
      ${sql.lit(warmthWithinJobs)}) as latest
    where latest.passed and latest.finished_at is not null
    group by asked.id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.finishedAt]));
}
