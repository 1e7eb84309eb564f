import { type JobState, jobStates, queuedStates } from './job-state.js';

/** The words that the job list of a build on /v2 takes: `passed` and `failed` instead of `finished`. */
export const jobListStates = [
  'pending',
  'waiting',
  'waiting_failed',
  'blocked',
  'blocked_failed',
  'unblocked',
  'unblocked_failed',
  'scheduled',
  'assigned',
  'accepted',
  'running',
  'passed',
  'failed',
  'timed_out',
  'timing_out',
  'canceled',
  'canceling',
  'skipped',
  'broken',
  'expired',
  'limited',
] as const;
export type JobListState = (typeof jobListStates)[number];

/** Jobs that did not pass, other than for want of others: failed, stopped, or never picked up. */
export const failedJobWords: readonly JobListState[] = ['failed', 'timed_out', 'expired', 'canceled'];
/** Jobs that did not run because others failed. */
export const downstreamJobWords: readonly JobListState[] = [
  'broken',
  'waiting_failed',
  'blocked_failed',
  'unblocked_failed',
];

/** States that a word selects: stored states, and finished jobs by their result. */
export interface JobListFilter {
  states: readonly JobState[];
  /** Ended well: a wait always does. */
  passed: boolean;
  /** Ended badly, or runs and has promised to. */
  failed: boolean;
  /** Runs, and has not promised to fail. */
  running: boolean;
}

const shownAs: Partial<Record<JobListState, readonly JobState[]>> = {
  // Replies show jobs in line of their concurrency group as scheduled, and `limited` asks for those alone.
  scheduled: queuedStates,
  limited: ['limiting', 'limited'],
};

/** Reads the states of a request; `unknown` is the first value that is not a state. */
export function readJobListStates(words: readonly string[]): JobListFilter | { unknown: string } {
  const unknown = words.find((word) => !(jobListStates as readonly string[]).includes(word));
  if (unknown !== undefined) return { unknown };
  const stateWords = words as readonly JobListState[];
  const plain = stateWords.filter((word) => word !== 'passed' && word !== 'failed' && word !== 'running');
  const states = new Set(plain.flatMap((word) => shownAs[word] ?? jobStates.filter((state) => state === word)));
  return {
    states: [...states],
    passed: stateWords.includes('passed'),
    failed: stateWords.includes('failed'),
    running: stateWords.includes('running'),
  };
}
