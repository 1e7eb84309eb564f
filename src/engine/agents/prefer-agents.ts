import { sql } from 'kysely';
import type { Context } from '../../context.js';
import { agentMatches } from '../../domain/agents/dispatch.js';
import type { AgentRow, ClusterQueueRow } from '../../entities/database.js';
import { agentHeldStates } from '../../domain/builds/job-state.js';
import { pingIntervalSeconds } from '../builds/job-patch.js';
import type { Candidate } from './dispatch-candidates.js';
import { isPaused } from './pause-state.js';

/** A preferred agent pings at least every two intervals (jitter); a job is not held for it any longer. */
const patienceMs = 2 * pingIntervalSeconds * 1000;
const othersAtMost = 100;
const attemptsAtMost = 50;

/**
 * Jobs that this agent passes over because an idle agent with precedence will ping in a moment: one of higher priority,
 * or, under `prefer-different`, one that ran no earlier attempt. Each such agent counts for one job. One that never
 * comes delays a job by two ping intervals.
 */
export async function leftToOthers(
  context: Context,
  agent: AgentRow,
  queue: ClusterQueueRow,
  candidates: readonly Candidate[],
): Promise<Set<string>> {
  const fresh = candidates.filter(
    (job) => job.runnableAt !== null && context.now.getTime() - job.runnableAt.getTime() < patienceMs,
  );
  const left = new Set<string>();
  if (fresh.length === 0) return left;
  const others = await idleAgents(context, agent);
  if (others.length === 0) return left;
  const different = queue.retryAgentAffinity === 'prefer-different';
  for (const job of fresh) {
    const earlier =
      different && job.retrySourceId !== null ? await earlierAgents(context, job.retrySourceId) : new Set<string>();
    const preferred = others.findIndex(
      (other) => isPreferred(other, agent, earlier) && agentMatches(job.agentQueryRules, other.metaData, queue.key),
    );
    if (preferred < 0) continue;
    others.splice(preferred, 1);
    left.add(job.id);
  }
  return left;
}

type OtherAgent = Pick<AgentRow, 'id' | 'priority' | 'metaData' | 'pausedAt' | 'pausedTimeoutInMinutes'>;

function isPreferred(other: OtherAgent, agent: AgentRow, earlier: ReadonlySet<string>): boolean {
  if (earlier.has(other.id) !== earlier.has(agent.id)) return earlier.has(agent.id);
  return (other.priority ?? -Infinity) > (agent.priority ?? -Infinity);
}

/** Idle agents of the same queue that pinged within the last intervals, highest priority first. */
async function idleAgents(context: Context, agent: AgentRow): Promise<OtherAgent[]> {
  const rows = await context.db
    .selectFrom('agents as a')
    .select(['a.id', 'a.priority', 'a.metaData', 'a.pausedAt', 'a.pausedTimeoutInMinutes'])
    .where('a.clusterQueueId', '=', agent.clusterQueueId)
    .where('a.connectionState', '=', 'connected')
    .where('a.ignoreInDispatches', '=', false)
    .where('a.id', '!=', agent.id)
    .where('a.pingedAt', '>=', new Date(context.now.getTime() - patienceMs))
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
  return rows.filter((row) => !isPaused(row, context.now));
}

/** Ids of the agents that ran earlier attempts of a job, along its chain of retries. */
async function earlierAgents({ db }: Context, retrySourceId: string): Promise<Set<string>> {
  const { rows } = await sql<{ agentId: string }>`
    with recursive chain as (
      select agent_id, retry_source_id, 1 as depth from jobs where id = ${retrySourceId}
      union all
      select j.agent_id, j.retry_source_id, chain.depth + 1 from chain join jobs j on j.id = chain.retry_source_id where chain.depth < ${attemptsAtMost}
    )
    select agent_id from chain where agent_id is not null`.execute(db);
  return new Set(rows.map((row) => row.agentId));
}
