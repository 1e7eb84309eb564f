import { pingIntervalSeconds } from '../agents/agent-state.js';
import { reservationSeconds } from '../agents/stack.js';
import type { JobEvent, JobState, JobType } from './job-state.js';

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

/** Minutes from its creation after which a job that no agent took expires, unless its organization says otherwise. */
export const jobExpiryMinutes = 30 * 24 * 60;

/** Time in which an offered job must be accepted, before it is offered again: at least three ping intervals. */
const assignedExpiryMs = Math.max(30 * second, 3 * pingIntervalSeconds * second);

/** Time in which an accepted job must be started, before it is offered again. */
const acceptedExpiryMs = 60 * second;

/** Time for which a stack reserves a job, unless it states another. */
const reservedExpiryMs = reservationSeconds * second;

/** Time that agents grant a canceled command before they kill it, unless the agent states another. */
const defaultCancelGraceMs = 10 * second;

/** After grace and this, a canceled job ends without its agent. */
const stopMarginMs = 20 * second;

/** What happens to a job whose deadline passes in each state that has one; always legal there. */
const dueEvents = {
  limiting: 'expire',
  limited: 'expire',
  scheduled: 'expire',
  reserved: 'requeue',
  assigned: 'requeue',
  accepted: 'requeue',
  running: 'time_out',
  canceling: 'force_stop',
  timing_out: 'force_stop',
} as const satisfies Partial<Record<JobState, JobEvent>>;
type DueState = keyof typeof dueEvents;

/** Returns the event that the deadline of a job in this state causes; null for states without a deadline. */
export function dueEvent(state: JobState): (typeof dueEvents)[DueState] | null {
  return state in dueEvents ? dueEvents[state as DueState] : null;
}

/** The facts of a job that decide its deadlines. */
export interface TimedJob {
  type: JobType;
  createdAt: Date;
  /** Minutes that it may run; null or 0 for no limit. */
  timeoutInMinutes: number | null;
  /** Minutes from its creation for which it may wait for an agent. */
  expiryInMinutes: number;
}

/**
 * Returns the time by which a job that entered a state at `since` must have left it; null for states without a
 * deadline. Only command jobs have deadlines: no agent takes the others.
 */
export function jobDeadline(job: TimedJob, state: JobState, since: Date): Date | null {
  if (job.type !== 'command') return null;
  const after = (start: Date, ms: number) => new Date(start.getTime() + ms);
  switch (state) {
    case 'limiting':
    case 'limited':
    case 'scheduled':
      return after(job.createdAt, job.expiryInMinutes * minute);
    case 'reserved':
      return after(since, reservedExpiryMs);
    case 'assigned':
      return after(since, assignedExpiryMs);
    case 'accepted':
      return after(since, acceptedExpiryMs);
    case 'running':
      return job.timeoutInMinutes ? after(since, job.timeoutInMinutes * minute) : null;
    case 'canceling':
    case 'timing_out':
      return after(since, defaultCancelGraceMs + stopMarginMs);
    default:
      return null;
  }
}
