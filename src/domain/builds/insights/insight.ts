/** What builds and jobs are grouped by; days and hours are those of UTC in which builds were created. */
export const insightGroups = ['pipeline', 'queue', 'step', 'branch', 'day', 'hour'] as const;
export type InsightGroup = (typeof insightGroups)[number];

/**
 * Figures of one pipeline, branch, queue, step, day or hour. Durations and failures are those of builds; where rows are
 * queues or steps, or only jobs of one are counted, those of jobs. Times are seconds; null where nothing has them.
 */
export interface Insight {
  /** Slug, branch, key of the queue, slug of the pipeline and name of the step, or when the day or hour begins. */
  key: string;
  /** Builds that have ended; where jobs are counted those with one. */
  builds: number;
  /** Those that failed; where jobs are counted those in which one failed, retries aside. */
  failed: number;
  durationP50: number | null;
  durationP90: number | null;
  durationP95: number | null;
  /** Time for which command jobs waited for an agent. */
  waitP50: number | null;
  waitP90: number | null;
  waitP95: number | null;
  /** Jobs that were run again. */
  retried: number;
  /** Seconds for which agents ran the jobs, all together. */
  agentSeconds: number;
  /** What these seconds cost at the prices that their queues have now; null where none of these has one. */
  cost: number | null;
  /** Bytes of the logs of the jobs, those that have been deleted aside. */
  logBytes: number;
  /** Bytes of the artifacts of the jobs that came to the storage. */
  artifactBytes: number;
  /** Seconds for which agents were connected, all together; null where nothing tells. */
  agentsConnectedSeconds: number | null;
  /** Part of this time, from 0 to 1, for which they held a job; null where nothing tells. */
  agentsBusyShare: number | null;
}

/** Figures without those of the time of agents, which are added last. */
export interface BuildInsight extends Omit<Insight, 'agentsConnectedSeconds' | 'agentsBusyShare'> {
  /** Group of the row: by queue its id, by which the time of its agents is found. */
  subject: string;
}

/** Time of agents in milliseconds. */
export interface AgentTimeSum {
  connectedMs: number;
  busyMs: number;
}

/** Figures with those of the time of agents. */
export function withAgentTime({ subject: _, ...figures }: BuildInsight, time: AgentTimeSum | undefined): Insight {
  const isKnown = time !== undefined && time.connectedMs > 0;
  return {
    ...figures,
    agentsConnectedSeconds: isKnown ? Math.round(time.connectedMs / 1000) : null,
    agentsBusyShare: isKnown ? Math.round((time.busyMs / time.connectedMs) * 10_000) / 10_000 : null,
  };
}

/** Figures of what nothing was built in. */
export const noInsight = (subject: string, key: string): BuildInsight => ({
  subject,
  key,
  builds: 0,
  failed: 0,
  durationP50: null,
  durationP90: null,
  durationP95: null,
  waitP50: null,
  waitP90: null,
  waitP95: null,
  retried: 0,
  agentSeconds: 0,
  cost: null,
  logBytes: 0,
  artifactBytes: 0,
});
