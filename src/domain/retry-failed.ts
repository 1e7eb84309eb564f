import { type JobState, type JobType, isRetryableState } from './job-state.js';

/** The ways a job can have failed that the retry of all failed jobs takes (rest-facts 2.2.3). */
export const failureKinds = ['canceled', 'expired', 'failed', 'soft_failed', 'timed_out'] as const;
export type FailureKind = (typeof failureKinds)[number];

/** Which of them a job's end is; null for one that has not failed, or not yet ended. */
export function failureKind(job: { type: JobType; state: JobState; passed: boolean; softFailed: boolean }): FailureKind | null {
  if (!isRetryableState(job.state)) return null;
  if (job.state === 'finished') return job.passed ? null : job.softFailed ? 'soft_failed' : 'failed';
  return (failureKinds as readonly string[]).includes(job.state) ? (job.state as FailureKind) : null;
}

/** The kinds a caller names, by commas or in a list; all of them for none. `unknown`: the first word that is none. */
export function readFailureKinds(given: string | readonly string[] | null | undefined): { kinds: ReadonlySet<FailureKind> } | { unknown: string } {
  const words = (typeof given === 'string' ? given.split(',') : [...(given ?? [])]).map((word) => word.trim()).filter((word) => word !== '');
  const unknown = words.find((word) => !(failureKinds as readonly string[]).includes(word));
  if (unknown !== undefined) return { unknown };
  return { kinds: new Set((words.length > 0 ? words : failureKinds) as FailureKind[]) };
}
