import { sql } from 'kysely';
import type { AgentRow, ClusterQueueRow, Db } from '../../entities/database.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import { pingIntervalSeconds } from '../../domain/agents/agent-state.js';
import type { Candidate } from './dispatch-candidates.js';
import { isPaused } from './pause-state.js';

/** A preferred agent pings at least every two intervals (jitter); a job is not held for it any longer. */
export const patienceMs = 2 * pingIntervalSeconds * 1000;
/** Times of pings, and of open streams, are stored every few seconds: an agent seen within this time is there. */
const presentMs = 15_000;
const othersAtMost = 100;
const attemptsAtMost = 50;

/** Whether a job became ready so recently that agents with precedence are waited for. */
export const isFresh = (job: Pick<Candidate, 'runnableAt'>, now: Date): boolean =>
  job.runnableAt !== null && now.getTime() - job.runnableAt.getTime() < patienceMs;

export type OtherAgent = Pick<AgentRow, 'id' | 'priority' | 'metaData' | 'pausedAt' | 'pausedTimeoutInMinutes'>;

/**
 * Idle agents of a queue that were seen lately, as the database or `seenIds` says, without those that are named:
 * highest priority first.
 */
export async function otherIdleAgents(
  db: Db,
  queueId: string,
  withoutIds: readonly string[],
  now: Date,
  seenIds: readonly string[] = [],
): Promise<OtherAgent[]> {
  const rows = await db
    .selectFrom('agents as a')
    .select(['a.id', 'a.priority', 'a.metaData', 'a.pausedAt', 'a.pausedTimeoutInMinutes'])
    .where('a.clusterQueueId', '=', queueId)
    .where('a.connectionState', '=', 'connected')
    .where('a.ignoreInDispatches', '=', false)
    .where(sql<boolean>`a.id <> all(${withoutIds}::uuid[])`)
    .where(sql<boolean>`(a.pinged_at >= ${new Date(now.getTime() - presentMs)} or a.id = any(${seenIds}::uuid[]))`)
    .where(({ eb, exists }) =>
      eb.not(
        exists(
          eb
            .selectFrom('jobs as j')
            .select('j.id')
            .whereRef('j.agentId', '=', 'a.id')
            .where('j.state', 'in', agentHeldStates),
        ),
      ),
    )
    .orderBy(sql`a.priority desc nulls last`)
    .orderBy('a.id')
    .limit(othersAtMost)
    .execute();
  return rows.filter((row) => !isPaused(row, now));
}

/**
 * Ids of the agents that ran earlier attempts of a job, along its chain of retries; none unless its queue prefers
 * different agents.
 */
export async function earlierAgents(
  db: Db,
  { retryAgentAffinity }: Pick<ClusterQueueRow, 'retryAgentAffinity'>,
  { retrySourceId }: Pick<Candidate, 'retrySourceId'>,
): Promise<Set<string>> {
  if (retryAgentAffinity !== 'prefer-different' || retrySourceId === null) return new Set();
  const { rows } = await sql<{ agentId: string }>`
    with recursive chain as (
      select agent_id, retry_source_id, 1 as depth from jobs where id = ${retrySourceId}
      union all
      select j.agent_id, j.retry_source_id, chain.depth + 1 from chain join jobs j on j.id = chain.retry_source_id
        where chain.depth < ${attemptsAtMost}
    )
    select agent_id from chain where agent_id is not null`.execute(db);
  return new Set(rows.map((row) => row.agentId));
}
