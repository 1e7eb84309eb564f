import type { JobState } from './job-state.js';
import { jobDeadline, type TimedJob } from './timeouts.js';

/** Times at which a job changed its state, as far as they are known. */
export interface JobStamps {
  createdAt: Date;
  runnableAt?: Date | null;
  assignedAt?: Date | null;
  acceptedAt?: Date | null;
  startedAt?: Date | null;
}

/** Columns that come with a state. */
export interface JobStateColumns extends Omit<JobStamps, 'createdAt'> {
  state: JobState;
  deadlineAt: Date | null;
  agentId?: null;
  stackId?: null;
  uploadCount?: null;
  unblockedAt?: Date;
  canceledAt?: Date;
  expiredAt?: Date;
  finishedAt?: Date;
}

/** Returns the latest of the times: clocks jump, and those of replicas differ, but durations must not be negative. */
export function notBefore(now: Date, ...earlier: (Date | null | undefined)[]): Date {
  return new Date(Math.max(now.getTime(), ...earlier.map((time) => time?.getTime() ?? 0)));
}

/** The latest of the times at which a job changed its state. */
export function lastStamp(job: JobStamps): Date {
  return notBefore(job.createdAt, job.runnableAt, job.assignedAt, job.acceptedAt, job.startedAt);
}

/**
 * Returns the columns of a job that enters a state: its timestamps, never before those it has, and its deadline, always
 * computed from the current time.
 */
export function jobStateColumns(job: TimedJob & JobStamps, to: JobState, now: Date): JobStateColumns {
  const at = notBefore(now, lastStamp(job));
  const state = { state: to, deadlineAt: jobDeadline(job, to, now) };
  switch (to) {
    case 'scheduled':
      return {
        ...state,
        // The times of an offer that was given back are forgotten with it.
        runnableAt: notBefore(now, job.createdAt),
        agentId: null,
        stackId: null,
        assignedAt: null,
        acceptedAt: null,
        uploadCount: null,
      };
    case 'assigned':
      return { ...state, assignedAt: at };
    case 'accepted':
      return { ...state, acceptedAt: at };
    case 'running':
      return { ...state, startedAt: at };
    case 'unblocked':
      return { ...state, unblockedAt: now, finishedAt: at };
    case 'canceled':
      return { ...state, canceledAt: at, finishedAt: at };
    case 'expired':
      return { ...state, expiredAt: at, finishedAt: at };
    case 'finished':
    case 'timed_out':
    case 'skipped':
    case 'broken':
      return { ...state, finishedAt: at };
    default:
      return state;
  }
}
