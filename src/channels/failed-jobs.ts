import type { BuildFacts } from './build-facts.js';

/** A job that failed, as messages for people tell of it. */
export interface FailedJob {
  name: string;
  /** Its page. */
  url: string;
  /** How it failed, in a sentence. */
  reason: string;
  /** The lines of its log that tell most, without escape sequences; empty if there are none. */
  lines: string;
}

export interface FailedJobs {
  /** The first of them. */
  jobs: FailedJob[];
  /** How many there are beside. */
  more: number;
}

export const noFailedJobs: FailedJobs = { jobs: [], more: 0 };

/** Whether a message about this should say which jobs failed, and why. */
export function tellsOfFailure({ state, step, unblocked }: BuildFacts): boolean {
  if (step) return step.outcome !== 'passed' && step.state !== 'canceled';
  return unblocked === null && (state === 'failed' || state === 'failing');
}

/** What stands below the jobs where there are more. */
export const moreJobs = (more: number): string => `${more} more ${more === 1 ? 'job has' : 'jobs have'} failed.`;
