import { sql } from 'kysely';
import type { AgentState } from '../../domain/agents/agent-state.js';
import { isAgentAvailable } from '../../domain/agents/agent-state.js';
import { agentHeldStates, type JobState } from '../../domain/builds/job-state.js';
import type { Db } from '../../entities/database.js';
import { sqlList } from '../../entities/sql-list.js';
import { isPaused } from './pause-state.js';

/** What is true of an agent that waits for work, as one statement reads it for any number of agents. */
export interface AgentStanding {
  id: string;
  sessionTokenHash: string;
  organizationId: string;
  clusterQueueId: string | null;
  /** Key of its queue; null where the queue is gone. */
  queueKey: string | null;
  connectionState: AgentState;
  ignoreInDispatches: boolean;
  pausedAt: Date | null;
  pausedNote: string | null;
  pausedTimeoutInMinutes: number | null;
  metaData: string[];
  priority: number | null;
  /** The job it holds; null for none. */
  heldJobId: string | null;
  heldJobState: JobState | null;
  /** Whether it accepted the job that the question names as offered. */
  tookOffer: boolean;
  /** Whether its queue dispatches and has a job for some agent. */
  jobsWait: boolean;
}

/** An agent by the hash of its session token, with the job that it was offered last, if that is of interest. */
export interface StandingQuestion {
  sessionTokenHash: string;
  offeredJobId: string | null;
}

/** Reads what is true of agents now, in one statement; null for sessions that have ended. */
export async function readStandings(db: Db, questions: readonly StandingQuestion[]): Promise<(AgentStanding | null)[]> {
  const { rows } = await sql<AgentStanding & { place: number }>`
    select asked.place::int as place, a.id, a.session_token_hash, a.organization_id, a.cluster_queue_id, q.key as
      queue_key, a.connection_state, a.ignore_in_dispatches, a.paused_at, a.paused_note,
      a.paused_timeout_in_minutes, a.meta_data, a.priority, held.id as held_job_id, held.state as held_job_state,
        offer.id is not null as took_offer,
      coalesce(q.dispatch_paused_at is null and exists (
        select 1 from jobs where organization_id = q.organization_id and cluster_queue_id = q.id and "state" =
          'scheduled' and "type" = 'command'
      ), false) as jobs_wait
    from unnest(${questions.map((question) => question.sessionTokenHash)}::text[], ${questions.map((question) => question.offeredJobId)}::uuid[])
      with ordinality as asked(hash, offered_job_id, place)
    join agents a on a.session_token_hash = asked.hash
    left join cluster_queues q on q.id = a.cluster_queue_id
    left join jobs held on held.agent_id = a.id and held.state in ${sql.raw(sqlList(agentHeldStates))}
    left join jobs offer on offer.id = asked.offered_job_id and offer.agent_id = a.id and offer.accepted_at is not
      null`.execute(db);
  const answers = new Map(rows.map((row) => [row.place, row]));
  return questions.map((_question, index) => answers.get(index + 1) ?? null);
}

/** Whether an agent may be offered a job. */
export function isIdle(standing: AgentStanding, now: Date): boolean {
  return isAgentAvailable({
    state: standing.connectionState,
    paused: isPaused(standing, now),
    ignoreInDispatches: standing.ignoreInDispatches,
    hasJob: standing.heldJobId !== null,
  });
}
