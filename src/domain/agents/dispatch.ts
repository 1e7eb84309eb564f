/** Decides which agent may take which job, and the order in which jobs are considered. */

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

/**
 * Order in which jobs are offered: priority, highest first; then `scheduledAt`, the time of the build, or of the job
 * that uploaded the step, and not of becoming ready; then upload order and id.
 */
export function compareJobs(a: DispatchableJob, b: DispatchableJob): number {
  return (
    b.priority - a.priority ||
    a.scheduledAt.getTime() - b.scheduledAt.getTime() ||
    a.position - b.position ||
    compareText(a.id, b.id)
  );
}

export const retryAgentAffinities = ['prefer-warmest', 'prefer-different'] as const;
export type RetryAgentAffinity = (typeof retryAgentAffinities)[number];

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
