import { isBuildFinished, type BuildState } from './build-state.js';
import type { JobState, JobType } from './job-state.js';

/** The events of the outgoing webhook (rest-facts 6.1), in the order the documentation lists them. */
export const notificationEvents = [
  'build.scheduled', 'build.running', 'build.failing', 'build.finished', 'build.skipped',
  'job.scheduled', 'job.started', 'job.finished', 'job.activated',
  'agent.connected', 'agent.lost', 'agent.disconnected', 'agent.stopping', 'agent.stopped',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** `ping` is sent to every service, when it is made and when someone asks for one. */
export type SentEvent = NotificationEvent | 'ping';

/**
 * The event a build's change of state is told as, or null for none. A build that blocks is told as finished, with
 * `blocked: true` in its payload (rest-facts 6.1).
 */
export function eventOfBuild(to: BuildState): NotificationEvent | null {
  if (to === 'scheduled' || to === 'running' || to === 'failing') return `build.${to}`;
  if (to === 'skipped' || to === 'not_run') return 'build.skipped';
  return isBuildFinished(to) || to === 'blocked' ? 'build.finished' : null;
}

const ended: ReadonlySet<JobState> = new Set(['finished', 'canceled', 'timed_out', 'expired']);

/** The event a job's change of state is told as. Jobs that never ran (skipped, broken) and wait steps are not told of. */
export function eventOfJob(type: JobType, to: JobState): NotificationEvent | null {
  if (type === 'block' || type === 'input') return to === 'unblocked' ? 'job.activated' : null;
  if (type === 'wait') return null;
  if (to === 'scheduled') return 'job.scheduled';
  if (to === 'running') return 'job.started';
  return ended.has(to) ? 'job.finished' : null;
}

const agentStates: Readonly<Record<string, NotificationEvent>> = {
  connected: 'agent.connected', lost: 'agent.lost', disconnected: 'agent.disconnected', stopping: 'agent.stopping', stopped: 'agent.stopped',
};

/** The event an agent's change of connection state is told as; null where the state stays what it was (a pause). */
export function eventOfAgent(from: string | null, to: string): NotificationEvent | null {
  return from === to ? null : (agentStates[to] ?? null);
}

/** The events of a `notify: - webhook:` entry in a pipeline: created, started, blocked, finished (rest-facts 6.2). */
export const notifyWebhookEvents: ReadonlySet<string> = new Set<NotificationEvent>(['build.scheduled', 'build.running', 'build.finished', 'build.skipped']);
