import { isBuildFinished, type BuildState } from '../build-state.js';
import { type EndedJob, hasFailed, type StepAttempt } from '../failures/job-failure.js';
import type { CulpritVerdict } from './bisection.js';

/**
 * Exit statuses that tell nothing of a commit: -1 of agents that were lost or could not run the job, 94 of a checkout
 * that waited too long, 125 as `git bisect run` takes it, and 128 of git, as where a commit cannot be checked out.
 */
const unjudgeableStatuses: ReadonlySet<number> = new Set([-1, 94, 125, 128]);

/** Whether a job failed in a way that tells something of its commit. */
export const failsByCommit = (job: EndedJob): boolean => hasFailed(job) && tellsOfCommit(job);

/** Whether a failure tells something of the commit. Agents end a job that ran too long, and say so. */
const tellsOfCommit = ({ state, exitStatus, signalReason }: Pick<EndedJob, 'state' | 'exitStatus' | 'signalReason'>) =>
  state === 'timed_out' || (signalReason === null && !unjudgeableStatuses.has(exitStatus ?? -1));

/** An attempt that neither passed nor failed where its failure tells nothing of the commit. */
export function attemptOfCommit<Attempt extends StepAttempt>(attempt: Attempt, timeouts: boolean): Attempt {
  const tells = tellsOfCommit(attempt) && (timeouts || attempt.state !== 'timed_out');
  return attempt.passed === false && !tells ? { ...attempt, passed: null } : attempt;
}

/** A finished build of one commit, with the jobs of the steps in question that were not retried. */
export interface TestedBuild {
  state: BuildState;
  jobs: readonly EndedJob[];
}

export interface Judgement {
  verdict: CulpritVerdict;
  /** Why the commit cannot be judged, in a sentence; null if it was. */
  reason: string | null;
}

/**
 * Judges a commit by its build: bad if a job failed, good if all passed, else skipped. A job that ran too long counts
 * as failed only where `timeouts`, which is whether one did in the build whose culprit is looked for. Null while the
 * build runs.
 */
export function judge({ state, jobs }: TestedBuild, { timeouts }: { timeouts: boolean }): Judgement | null {
  if (!isBuildFinished(state)) return null;
  if (jobs.some((job) => failsByCommit(job) && (timeouts || job.state !== 'timed_out')))
    return { verdict: 'bad', reason: null };
  if (jobs.length > 0 && jobs.every((job) => job.state === 'finished' && job.passed))
    return { verdict: 'good', reason: null };
  return { verdict: 'skipped', reason: reasonOf(state, jobs) };
}

function reasonOf(state: BuildState, jobs: readonly EndedJob[]): string {
  if (state === 'canceled' || state === 'skipped') return `Its build was ${state}.`;
  if (jobs.some((job) => job.state === 'timed_out')) return 'A job ran longer than it may.';
  const failed = jobs.find(hasFailed);
  if (failed)
    return `A job ended with exit status ${failed.exitStatus ?? 'unknown'}${
      failed.signalReason === null ? '' : ` (${failed.signalReason})`
    }, which tells nothing of the commit.`;
  if (jobs.some(({ state: jobState }) => jobState === 'waiting_failed')) return 'A step that it depends on failed.';
  return 'Not all of its jobs ran.';
}
