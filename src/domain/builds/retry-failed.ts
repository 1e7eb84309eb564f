import { type JobState, type JobType, isRetryableState } from './job-state.js';

/** The ways a job can have failed that the retry of all failed jobs takes. */
export const failureKinds = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** The failure kind of an ended job; null if it passed or still runs. */
export function failureKind(job: {
  type: JobType;
  state: JobState;
  passed: boolean;
  softFailed: boolean;
}): FailureKind | null {
  if (!isRetryableState(job.state)) return null;
  if (job.state === 'finished' && job.passed) return null;
  if (job.state === 'finished') return job.softFailed ? 'soft_failed' : 'failed';
  return (failureKinds as readonly string[]).includes(job.state) ? (job.state as FailureKind) : null;
}

/**
 * Reads the requested failure kinds, a list or separated by commas; all kinds if none are named. `unknown` is the first
 * invalid one.
 */
export function readFailureKinds(
  kinds: string | readonly string[] | null | undefined,
): { kinds: ReadonlySet<FailureKind> } | { unknown: string } {
  const words = (typeof kinds === 'string' ? kinds.split(',') : [...(kinds ?? [])])
    .map((word) => word.trim())
    .filter((word) => word !== '');
  const unknown = words.find((word) => !(failureKinds as readonly string[]).includes(word));
  if (unknown !== undefined) return { unknown };
  return { kinds: new Set((words.length > 0 ? words : failureKinds) as FailureKind[]) };
}
