import type { BlockedState, BuildState } from './build-state.js';
import { isLive, isSettled, type JobState, type JobType } from './job-state.js';

/** Fields of a job that decide the state of its build. */
export interface RollupJob {
  type: JobType;
  state: JobState;
  /** Of `finished` jobs; null before. */
  passed: boolean | null;
  softFailed: boolean;
  /** Superseded by a retry: does not count, except that the build has started. */
  retried: boolean;
  /** `started_at` is set. */
  started: boolean;
  /** The job has promised a hard failure that will not be retried; a better exit status does not undo it. */
  promisedFailure: boolean;
  /** Of block and input jobs. */
  blockedState: BlockedState | null;
}

/** Requests about the build as a whole; both are durable facts of the build row. */
export interface BuildRequests {
  cancelRequested: boolean;
  skipRequested: boolean;
}

export interface BuildRollup {
  state: BuildState;
  /** Nothing runs or could run, and a reached block or input waits for someone. */
  blocked: boolean;
  /** Null unless blocked: the worst of the waiting steps' `blocked_state`, `failed` where a job has failed. */
  blockedState: BlockedState | null;
  /** Whether there is a hard failure; `failing_at` is set when this first becomes true. */
  failing: boolean;
}

/**
 * Whether the job alone makes its build fail: a failure that is neither soft nor retried, or the promise of one by a
 * running job.
 */
export function isHardFailure(job: Omit<RollupJob, 'blockedState'>): boolean {
  if (job.retried) return false;
  switch (job.state) {
    case 'finished':
      return job.type !== 'wait' && (job.promisedFailure || (job.passed !== true && !job.softFailed));
    case 'timed_out':
    case 'canceled':
    case 'expired':
      return job.promisedFailure || !job.softFailed;
    case 'waiting_failed':
    case 'blocked_failed':
    case 'unblocked_failed':
      return true;
    case 'skipped':
    case 'broken':
      return false;
    default:
      return job.promisedFailure;
  }
}

/** Released jobs that have not ended, or a reached block: something will still happen in this build. */
export function somethingStirs(jobs: Iterable<RollupJob>): boolean {
  for (const job of jobs) {
    if (!job.retried && (isLive(job.state) || isReachedManual(job))) return true;
  }
  return false;
}

function isReachedManual(job: RollupJob): boolean {
  return job.state === 'blocked' && (job.type === 'block' || job.type === 'input');
}

function hasStarted(job: RollupJob): boolean {
  if (job.type === 'wait') return false;
  return job.started || job.retried || job.state === 'running' || job.state === 'finished' || job.state === 'unblocked';
}

const worst: BlockedState[] = ['failed', 'running', 'passed'];

/**
 * The state of a build from its jobs and those requests, recomputed each time. It does not depend on the
 * order of the jobs. Never yields `creating`: that is a build whose jobs do not exist yet.
 */
export function rollup(jobs: Iterable<RollupJob>, requests: BuildRequests): BuildRollup {
  let unsettled = false;
  let live = false;
  let failing = false;
  let started = false;
  let ran = false;
  const waiting = new Set<BlockedState>();
  for (const job of jobs) {
    started ||= hasStarted(job);
    if (job.retried) continue;
    failing ||= isHardFailure(job);
    live ||= isLive(job.state);
    unsettled ||= !isSettled(job.state);
    ran ||= job.type !== 'wait' && job.state !== 'skipped' && job.state !== 'broken';
    if (isReachedManual(job)) waiting.add(job.blockedState ?? 'passed');
  }
  const settledAs = (state: BuildState): BuildRollup => ({ state, blocked: false, blockedState: null, failing });
  if (requests.cancelRequested) return settledAs(unsettled ? 'canceling' : 'canceled');
  if (requests.skipRequested) return settledAs('skipped');
  if (!live && waiting.size > 0) {
    const blockedState = failing ? 'failed' : (worst.find((state) => waiting.has(state)) ?? 'passed');
    return { state: 'blocked', blocked: true, blockedState: blockedState, failing };
  }
  if (failing) return settledAs(unsettled ? 'failing' : 'failed');
  if (unsettled) return settledAs(started ? 'running' : 'scheduled');
  return settledAs(ran || started ? 'passed' : 'not_run');
}
