import type { JobState } from '../../domain/builds/job-state.js';
import {
  acceptedExpiryMs,
  assignedExpiryMs,
  defaultCancelGraceSeconds,
  stopSettleMarginMs,
} from '../../domain/builds/timeouts.js';
import type { JobRow } from '../../entities/database.js';

/** Seconds between an agent's pings. */
export const pingIntervalSeconds = 2;

export interface PatchFacts {
  now: Date;
  /** Time from its creation for which a job may wait for an agent. */
  expiresAt: Date;
  /** Minutes a running job may take; null for no limit. */
  timeoutInMinutes?: number | null;
  /** Latest timestamp of the job; later ones are never before it, though the clock may be. */
  since?: Date;
}

/** Returns the latest of the times: clocks jump, and those of replicas differ, but durations must not be negative. */
export function notBefore(now: Date, ...earlier: (Date | null | undefined)[]): Date {
  return new Date(Math.max(now.getTime(), ...earlier.map((time) => time?.getTime() ?? 0)));
}

/** The latest of the times at which a job went on. */
export function lastStamp(
  job: Pick<JobRow, 'createdAt' | 'startedAt'> & Partial<Pick<JobRow, 'runnableAt' | 'assignedAt' | 'acceptedAt'>>,
): Date {
  return notBefore(job.createdAt, job.runnableAt, job.assignedAt, job.acceptedAt, job.startedAt);
}

/**
 * Returns the columns of a new state: its timestamps and its deadline. `deadlineAt` is always computed from the current
 * time.
 */
export function jobPatch(to: JobState, { now, expiresAt, timeoutInMinutes, since }: PatchFacts): Partial<JobRow> {
  const at = notBefore(now, since);
  const after = (ms: number) => new Date(now.getTime() + ms);
  switch (to) {
    case 'limiting':
    case 'limited':
      return { state: to, deadlineAt: expiresAt };
    case 'scheduled':
      return {
        state: to,
        runnableAt: at,
        agentId: null,
        stackId: null,
        assignedAt: null,
        acceptedAt: null,
        uploadCount: null,
        deadlineAt: expiresAt,
      };
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
