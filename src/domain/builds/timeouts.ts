import { reservationSeconds } from '../agents/stack.js';
import type { JobEvent, JobState } from './job-state.js';

/**
 * Time limits of a step and of its pipeline and organization, in minutes; null where none is set. So is 0, which some
 * clients send for a limit that their users have not set.
 */
export interface TimeoutSettings {
  stepTimeoutInMinutes: number | null;
  pipelineDefaultInMinutes: number | null;
  pipelineMaximumInMinutes: number | null;
  organizationDefaultInMinutes: number | null;
  organizationMaximumInMinutes: number | null;
}

/**
 * The timeout of a command job in minutes, fixed when the job is created, or null for none: the step's, else the
 * pipeline's default, else the organization's; never above the smaller maximum, which also holds where nothing is set.
 */
export function effectiveTimeout(settings: TimeoutSettings): number | null {
  const requested =
    limitOf(settings.stepTimeoutInMinutes) ??
    limitOf(settings.pipelineDefaultInMinutes) ??
    limitOf(settings.organizationDefaultInMinutes);
  const maximum = timeoutMaximum(settings);
  if (requested === null || maximum === null) return requested ?? maximum;
  return Math.min(requested, maximum);
}

const limitOf = (minutes: number | null): number | null => (minutes === 0 ? null : minutes);

function timeoutMaximum(
  settings: Pick<TimeoutSettings, 'pipelineMaximumInMinutes' | 'organizationMaximumInMinutes'>,
): number | null {
  const pipeline = limitOf(settings.pipelineMaximumInMinutes);
  const organization = limitOf(settings.organizationMaximumInMinutes);
  if (pipeline === null || organization === null) return pipeline ?? organization;
  return Math.min(pipeline, organization);
}

/** Most minutes by which a running job may extend the timeout it started with. */
export const timeoutExtensionMinutes = 60;

/**
 * Checks a change of a running job's timeout, made from inside the job. Null if it may be stored, else why not.
 * A job that started without a timeout may get any within the maxima; a timeout cannot be removed.
 */
export function timeoutChangeProblem(
  wantedInMinutes: number,
  initialInMinutes: number | null,
  maxima: Pick<TimeoutSettings, 'pipelineMaximumInMinutes' | 'organizationMaximumInMinutes'>,
): string | null {
  if (!Number.isInteger(wantedInMinutes) || wantedInMinutes < 1) return 'Timeout must be a positive number of minutes';
  if (initialInMinutes !== null && wantedInMinutes > initialInMinutes + timeoutExtensionMinutes) {
    return `Timeout can be at most ${initialInMinutes + timeoutExtensionMinutes} minutes`;
  }
  const maximum = timeoutMaximum(maxima);
  return maximum !== null && wantedInMinutes > maximum ? `Timeout can be at most ${maximum} minutes` : null;
}

const second = 1000;
const minute = 60 * second;

/** Assigned but not accepted for this long: offered again. At least three ping intervals. */
export function assignedExpiryMs(pingIntervalSeconds: number): number {
  return Math.max(30 * second, 3 * pingIntervalSeconds * second);
}

/** Accepted but not started for this long: offered again. */
export const acceptedExpiryMs = 60 * second;

/** Reserved by a stack but not taken for this long: offered again. */
export const reservedExpiryMs = reservationSeconds * second;

/** Time that agents grant a canceled command before they kill it, unless the agent states another. */
export const defaultCancelGraceSeconds = 10;

/** After grace and this, a canceled job ends without its agent. */
export const stopSettleMarginMs = 20 * second;

/** Not picked up within this after its creation: expired. Organizations may set another number of days. */
export const jobExpiryDays = 30;

export interface TimedJob {
  state: JobState;
  createdAt: Date;
  /** When it entered its present state. */
  stateChangedAt: Date;
  startedAt: Date | null;
  timeoutInMinutes: number | null;
}

export interface TimeLimits {
  pingIntervalSeconds: number;
  cancelGraceSeconds: number;
  jobExpiryDays: number;
}

/** Returns the deadline of a job's state and the event that ends it; null for states without a deadline. */
export function jobDeadline(job: TimedJob, limits: TimeLimits): { event: JobEvent; at: Date } | null {
  const after = (start: Date, ms: number, event: JobEvent) => ({ event, at: new Date(start.getTime() + ms) });
  switch (job.state) {
    case 'limiting':
    case 'limited':
    case 'scheduled':
      return after(job.createdAt, limits.jobExpiryDays * 24 * 60 * minute, 'expire');
    case 'reserved':
      return after(job.stateChangedAt, reservedExpiryMs, 'requeue');
    case 'assigned':
      return after(job.stateChangedAt, assignedExpiryMs(limits.pingIntervalSeconds), 'requeue');
    case 'accepted':
      return after(job.stateChangedAt, acceptedExpiryMs, 'requeue');
    case 'running':
      return job.timeoutInMinutes === null
        ? null
        : after(job.startedAt ?? job.stateChangedAt, job.timeoutInMinutes * minute, 'time_out');
    case 'canceling':
    case 'timing_out':
      return after(job.stateChangedAt, limits.cancelGraceSeconds * second + stopSettleMarginMs, 'force_stop');
    default:
      return null;
  }
}

/** The event that time has made due for a job, or null. */
export function dueEvent(job: TimedJob, limits: TimeLimits, now: Date): JobEvent | null {
  const deadline = jobDeadline(job, limits);
  return deadline !== null && deadline.at.getTime() <= now.getTime() ? deadline.event : null;
}
