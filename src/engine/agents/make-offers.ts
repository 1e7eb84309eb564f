import type { Context } from '../../request/context.js';
import type { AgentRow, JobRow } from '../../entities/database.js';
import { assignJobs } from './assign-jobs.js';
import { type PassPlan, type PlannedOffer, planPass } from './plan-pass.js';
import { heldBy } from './release-from-agent.js';

/** Times that offers of one plan are made at most. */
const attemptsAtMost = 3;

export interface MadeOffers {
  /** Number of jobs that were offered. */
  offers: number;
  /**
   * Whether there was nothing to offer, the last offers were all made, or jobs or agents were held by others to the
   * end.
   */
  end: 'nothing' | 'complete' | 'held';
}

/**
 * Makes the offers of a plan. Where another transaction holds a job, build or agent, makes the next offers instead, a
 * few times. `assign` makes offers and returns the agent of each job that was offered; the callbacks take each offer.
 */
export async function makeOffers(
  plan: PassPlan,
  assign: (offers: readonly PlannedOffer[]) => Promise<ReadonlyMap<string, string>>,
  { onMade, onMissed }: { onMade: (offer: PlannedOffer) => void; onMissed?: (offer: PlannedOffer) => void },
): Promise<MadeOffers> {
  const gone = { jobs: new Set<string>(), builds: new Set<string>(), agents: new Set<string>() };
  if (plan.offers.length === 0) return { offers: 0, end: 'nothing' };
  let offers = 0;
  let next = plan.offers;
  for (let attempt = 1; attempt <= attemptsAtMost && next.length > 0; attempt += 1) {
    const assigned = await assign(next);
    offers += assigned.size;
    const missed = next.filter(({ job, agentId }) => assigned.get(job.id) !== agentId);
    for (const offer of next) {
      gone.jobs.add(offer.job.id);
      // Mostly it is the build that is locked, and with it all of its jobs.
      if (missed.includes(offer)) gone.builds.add(offer.job.buildId);
      else {
        gone.agents.add(offer.agentId);
        onMade(offer);
      }
    }
    if (missed.length === 0) return { offers, end: 'complete' };
    for (const offer of missed) onMissed?.(offer);
    next = plan.without(gone);
  }
  return { offers, end: 'held' };
}

/**
 * Offers an agent that asks for work the best job of its queue: a pass for this agent alone, in the open transaction,
 * which has locked the agent's row. Waits for no other lock. Returns the job; null for none.
 */
export async function offerJob(context: Context, agent: AgentRow): Promise<JobRow | null> {
  const { id, clusterQueueId: queueId } = agent;
  const plan = queueId === null ? null : await planPass(context.db, queueId, [agent], context.now);
  if (queueId === null || !plan) return null;
  let isOffered = false;
  await makeOffers(plan, (offers) => assignJobs(context, queueId, offers), { onMade: () => (isOffered = true) });
  if (!isOffered) return null;
  await context.flush();
  return heldBy(context, id);
}
