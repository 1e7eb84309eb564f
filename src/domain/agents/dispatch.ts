/** Decides which agent may take which job, and the order in which both are considered. */

/** Key of the queue tag and rule. */
const queueKey = 'queue';

/** Queue of agents and jobs that name none, outside clusters. */
export const unclusteredDefaultQueue = 'default';

/**
 * Whether an agent with these `key=value` tags satisfies all of a job's `key=value` rules. `key=*`, `key=` and a bare
 * `key` accept any value of the key; there are no partial wildcards; the old rule `*` accepts any agent. The queue
 * always counts: agents and jobs that name none belong to `defaultQueue` (in a cluster, the key of its default queue).
 * An agent may carry several values of one key.
 */
export function agentMatches(
  rules: readonly string[],
  tags: readonly string[],
  defaultQueue: string = unclusteredDefaultQueue,
): boolean {
  const values = new Map<string, Set<string>>();
  for (const tag of tags) {
    const [key, value] = split(tag);
    const known = values.get(key);
    if (known === undefined) values.set(key, new Set([value]));
    else known.add(value);
  }
  if (!values.has(queueKey)) values.set(queueKey, new Set([defaultQueue]));
  let queueNamed = false;
  for (const rule of rules) {
    if (rule === '*') {
      queueNamed = true;
      continue;
    }
    const [key, value] = split(rule);
    queueNamed ||= key === queueKey;
    const known = values.get(key);
    if (known === undefined) return false;
    if (value !== '' && value !== '*' && !known.has(value)) return false;
  }
  return queueNamed || (values.get(queueKey)?.has(defaultQueue) ?? false);
}

/** The value of a job's queue rule, or the default queue where none names one queue. */
export function targetQueue(rules: readonly string[], defaultQueue: string = unclusteredDefaultQueue): string {
  for (const rule of rules) {
    const [key, value] = split(rule);
    if (key === queueKey && value !== '' && value !== '*') return value;
  }
  return defaultQueue;
}

function split(tag: string): [key: string, value: string] {
  const at = tag.indexOf('=');
  return at < 0 ? [tag.trim(), ''] : [tag.slice(0, at).trim(), tag.slice(at + 1).trim()];
}

export interface DispatchableJob {
  id: string;
  priority: number;
  scheduledAt: Date;
  /** Place in its build, in upload order. */
  position: number;
}

/** Order in which jobs are offered: priority, highest first; then scheduled time, upload order and id. */
export function compareJobs(a: DispatchableJob, b: DispatchableJob): number {
  return (
    b.priority - a.priority ||
    a.scheduledAt.getTime() - b.scheduledAt.getTime() ||
    a.position - b.position ||
    compareText(a.id, b.id)
  );
}

export interface DispatchableAgent {
  id: string;
  /** Null sorts last. */
  priority: number | null;
  /** When a job of this agent last passed; null sorts last. */
  lastSuccessAt: Date | null;
}

/** Order in which agents are considered: priority, highest first; then the most recently successful; then id. */
export function compareAgents(a: DispatchableAgent, b: DispatchableAgent): number {
  return (
    compareNullsLast(a.priority, b.priority) ||
    compareNullsLast(a.lastSuccessAt?.getTime() ?? null, b.lastSuccessAt?.getTime() ?? null) ||
    compareText(a.id, b.id)
  );
}

export const retryAgentAffinities = ['prefer-warmest', 'prefer-different'] as const;
export type RetryAgentAffinity = (typeof retryAgentAffinities)[number];

/**
 * Orders agents by preference for a job. `previousAgentIds` are the agents that ran earlier attempts: under
 * `prefer-different` they come last, but may still get the job.
 */
export function rankAgents<Agent extends DispatchableAgent>(
  agents: readonly Agent[],
  affinity: RetryAgentAffinity,
  previousAgentIds: ReadonlySet<string>,
): Agent[] {
  const last = (agent: Agent): number => (affinity === 'prefer-different' && previousAgentIds.has(agent.id) ? 1 : 0);
  return [...agents].sort((a, b) => last(a) - last(b) || compareAgents(a, b));
}

function compareNullsLast(a: number | null, b: number | null): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return b - a;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
