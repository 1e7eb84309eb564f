/** A job that an agent had: when it could run, when an agent took it, when it ended; milliseconds since the epoch. */
export interface PastJob {
  readyAt: number;
  takenAt: number;
  endedAt: number;
}

/** How many agents would have been enough for jobs of the past; waits are seconds, null without a job. */
export interface AgentsNeeded {
  /** Jobs that were looked at. */
  jobs: number;
  /** Fewest agents with which 95 percent of the jobs would have waited no longer than wanted; zero without a job. */
  agents: number;
  /** Wait that 95 percent of the jobs would not have exceeded with so many agents. */
  waitP95: number | null;
  /** Part of the time, from 0 to 1, for which so many agents would have been busy. */
  busyShare: number;
  /** Most agents that were busy at once. */
  busiestAgents: number;
  /** Wait that 95 percent of the jobs did not exceed. */
  pastWaitP95: number | null;
  /** Part of the jobs, from 0 to 1, that waited no longer than wanted; 1 without a job. */
  pastShareInTime: number;
}

const shareInTime = 0.95;

/**
 * How many agents would have kept the wait of 95 percent of past jobs within `waitMs`, in a time of `rangeMs`: the jobs
 * are given to agents again in the order in which they became ready, each for as long as it took. Every agent is taken
 * to be able to run every job.
 */
export function agentsNeeded(
  jobs: readonly PastJob[],
  { waitMs, rangeMs }: { waitMs: number; rangeMs: number },
): AgentsNeeded {
  const queue = [...jobs].sort((one, other) => one.readyAt - other.readyAt);
  const pastWaits = sorted(queue.map(({ readyAt, takenAt }) => Math.max(0, takenAt - readyAt)));
  // With as many agents as jobs could ever run at once nothing waits; with more agents no job waits longer.
  let most = busiest(queue, ({ readyAt, takenAt, endedAt }) => [readyAt, readyAt + Math.max(1, endedAt - takenAt)]);
  let fewest = Math.min(1, most);
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2);
    if (percentile95(sorted(waitsWith(queue, middle))) <= waitMs) most = middle;
    else fewest = middle + 1;
  }
  const waits = sorted(waitsWith(queue, fewest));
  const busyMs = queue.reduce((sum, { takenAt, endedAt }) => sum + endedAt - takenAt, 0);
  return {
    jobs: queue.length,
    agents: fewest,
    waitP95: secondsOf(waits),
    busyShare: fewest === 0 ? 0 : Math.min(1, busyMs / (fewest * rangeMs)),
    busiestAgents: busiest(queue, ({ takenAt, endedAt }) => [takenAt, endedAt]),
    pastWaitP95: secondsOf(pastWaits),
    pastShareInTime: queue.length === 0 ? 1 : pastWaits.filter((wait) => wait <= waitMs).length / queue.length,
  };
}

/** Milliseconds that each job would have waited with so many agents; jobs in the order in which they became ready. */
function waitsWith(queue: readonly PastJob[], agents: number): number[] {
  // A heap of the times from which agents are free, the earliest first.
  const freeAt = new Float64Array(agents).fill(-Infinity);
  return queue.map(({ readyAt, takenAt, endedAt }) => {
    const begin = Math.max(readyAt, freeAt[0] ?? readyAt);
    replaceEarliest(freeAt, begin + endedAt - takenAt);
    return begin - readyAt;
  });
}

function replaceEarliest(heap: Float64Array, time: number): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    if ((heap[child] as number) >= time) break;
    heap[at] = heap[child] as number;
    at = child;
  }
  heap[at] = time;
}

/** Most spans that overlap; one that ends when another begins does not. One without length overlaps none. */
function busiest(jobs: readonly PastJob[], spanOf: (job: PastJob) => [begin: number, end: number]): number {
  const spans = jobs.map(spanOf);
  const begins = sorted(spans.map(([begin]) => begin));
  const ends = sorted(spans.map(([, end]) => end));
  let most = Math.min(1, jobs.length);
  let ended = 0;
  begins.forEach((begin, index) => {
    while (ended <= index && (ends[ended] as number) <= begin) ended += 1;
    most = Math.max(most, index + 1 - ended);
  });
  return most;
}

const sorted = (values: readonly number[]): Float64Array => Float64Array.from(values).sort();

/** The least value that 95 percent of the values do not exceed. */
const percentile95 = (values: Float64Array): number =>
  values[Math.max(0, Math.ceil(shareInTime * values.length) - 1)] ?? 0;

const secondsOf = (waits: Float64Array): number | null => (waits.length === 0 ? null : percentile95(waits) / 1000);
