import type { JobState } from '../../domain/job-state.js';
import { acceptedExpiryMs, assignedExpiryMs, defaultCancelGraceSeconds, stopSettleMarginMs } from '../../domain/timeouts.js';
import type { JobRow, Patch } from '../../entities/database.js';

/** Seconds between the pings an agent is told to make. */
export const pingIntervalSeconds = 2;

export interface PatchFacts {
  now: Date;
  /** How long a job may wait for an agent, from its creation. */
  expiresAt: Date;
  /** Of a running job; null for none. */
  timeoutInMinutes?: number | null;
  /** The latest time stamp the job has: no later one is before it, though the clock may be. */
  since?: Date;
}

/** A time that is not before others: clocks jump, and those of replicas differ, but no duration is negative (I20). */
export function notBefore(now: Date, ...earlier: (Date | null | undefined)[]): Date {
  return new Date(Math.max(now.getTime(), ...earlier.map((time) => time?.getTime() ?? 0)));
}

/** The latest of the times at which a job went on. */
export function lastStamp(job: Pick<JobRow, 'createdAt' | 'startedAt'> & Partial<Pick<JobRow, 'runnableAt' | 'assignedAt' | 'acceptedAt'>>): Date {
  return notBefore(job.createdAt, job.runnableAt, job.assignedAt, job.acceptedAt, job.startedAt);
}

/** The columns that go with a new state: its time stamps and when it runs out. `deadlineAt` is always said anew, by the clock. */
export function jobPatch(to: JobState, { now, expiresAt, timeoutInMinutes, since }: PatchFacts): Patch<'jobs'> {
  const at = notBefore(now, since);
  const after = (ms: number) => new Date(now.getTime() + ms);
  switch (to) {
    case 'limiting':
    case 'limited':
      return { state: to, deadlineAt: expiresAt };
    case 'scheduled':
      return { state: to, runnableAt: at, agentId: null, assignedAt: null, acceptedAt: null, deadlineAt: expiresAt };
    case 'assigned':
      return { state: to, assignedAt: at, deadlineAt: after(assignedExpiryMs(pingIntervalSeconds)) };
    case 'accepted':
      return { state: to, acceptedAt: at, deadlineAt: after(acceptedExpiryMs) };
    case 'running':
      return { state: to, startedAt: at, deadlineAt: timeoutInMinutes ? after(timeoutInMinutes * 60_000) : null };
    case 'canceling':
    case 'timing_out':
      return { state: to, deadlineAt: after(defaultCancelGraceSeconds * 1000 + stopSettleMarginMs) };
    case 'canceled':
      return { state: to, canceledAt: at, finishedAt: at, deadlineAt: null };
    case 'expired':
      return { state: to, expiredAt: at, finishedAt: at, deadlineAt: null };
    case 'finished':
    case 'timed_out':
    case 'skipped':
    case 'broken':
      return { state: to, finishedAt: at, deadlineAt: null };
    default:
      return { state: to, deadlineAt: null };
  }
}
