import { agentMatches, compareJobs, type DispatchableJob, type RetryAgentAffinity } from './dispatch.js';

/** A job that waits in a queue, as a pass over the queue sees it. */
export interface WaitingJob extends DispatchableJob {
  agentQueryRules: readonly string[];
  /** Agents that ran earlier attempts of it. */
  earlierAgentIds: ReadonlySet<string>;
  /** Whether it became ready so recently that agents with precedence are waited for. */
  fresh: boolean;
}

/** An agent that may take a job. */
export interface IdleAgent {
  id: string;
  /** Null sorts last. */
  priority: number | null;
  metaData: readonly string[];
  /** When a job of this agent last passed; null sorts last. */
  lastSuccessAt: Date | null;
  /** Whether it waits here. Another one will ask by itself, and counts only where it has precedence. */
  here: boolean;
}

export interface DispatchPlan {
  /** Who is offered what, in the order of the jobs. */
  offers: { jobId: string; agentId: string }[];
  /** Jobs that are left to an agent elsewhere which has precedence. */
  left: string[];
}

/**
 * Plans one pass over a queue: gives jobs, by priority and age, to the agents that wait, each at most one. The best
 * agent of a job has its tags; under `prefer-different` did not run it before; has the highest priority; waits here;
 * and passed a job most recently. A fresh job whose best agent is elsewhere is left to it.
 */
export function planDispatch(
  jobs: readonly WaitingJob[],
  agents: readonly IdleAgent[],
  queue: { key: string; affinity: RetryAgentAffinity },
): DispatchPlan {
  const plan: DispatchPlan = { offers: [], left: [] };
  const ranked = [...agents].sort(compareIdle);
  const agentIds = new Set<string>();
  const matching = new Map<string, IdleAgent[]>();
  let here = agents.filter((agent) => agent.here).length;
  for (const job of [...jobs].sort(compareJobs)) {
    if (here === 0) break;
    const rules = job.agentQueryRules.join('\n');
    const able =
      matching.get(rules) ?? ranked.filter((agent) => agentMatches(job.agentQueryRules, agent.metaData, queue.key));
    matching.set(rules, able);
    const free = able.filter((agent) => !agentIds.has(agent.id) && (job.fresh || agent.here));
    const best =
      (queue.affinity === 'prefer-different' ? free.find((agent) => !job.earlierAgentIds.has(agent.id)) : undefined) ??
      free[0];
    if (!best) continue;
    agentIds.add(best.id);
    if (best.here) {
      plan.offers.push({ jobId: job.id, agentId: best.id });
      here -= 1;
    } else if (free.some((agent) => agent.here)) {
      plan.left.push(job.id);
    }
  }
  return plan;
}

function compareIdle(a: IdleAgent, b: IdleAgent): number {
  return (
    (b.priority ?? -Infinity) - (a.priority ?? -Infinity) ||
    Number(b.here) - Number(a.here) ||
    (b.lastSuccessAt?.getTime() ?? -Infinity) - (a.lastSuccessAt?.getTime() ?? -Infinity) ||
    (a.id < b.id ? -1 : 1)
  );
}
