import { isBuildFinished, type BuildState } from '../builds/build-state.js';
import type { JobState, JobType } from '../builds/job-state.js';

/** The events of the outgoing webhook, in the order the documentation lists them. */
export const notificationEvents = [
  'build.scheduled',
  'build.running',
  'build.failing',
  'build.finished',
  'build.skipped',
  'job.scheduled',
  'job.started',
  'job.finished',
  'job.activated',
  'job.promised_exit_status',
  'agent.connected',
  'agent.lost',
  'agent.disconnected',
  'agent.stopping',
  'agent.stopped',
  'agent.blocked',
  'cluster_token.registration_blocked',
] as const;
export type NotificationEvent = (typeof notificationEvents)[number];

/** Events of a step, which only its own `notify` is about. */
export const stepEvents = ['step.failing', 'step.finished'] as const;
export type StepEvent = (typeof stepEvents)[number];

/** Events of workflows of test suites, which only their own actions are about. */
export const testWorkflowEvents = ['workflow.alarm', 'workflow.recover'] as const;
export type TestWorkflowEventName = (typeof testWorkflowEvents)[number];

/** Whether an event is about a test, by a workflow of its suite. */
export const isOfWorkflow = (event: SentEvent): event is TestWorkflowEventName =>
  (testWorkflowEvents as readonly string[]).includes(event);

/**
 * A notification event, one of a step, one of a workflow of a test suite, or `ping`, which an outgoing webhook gets
 * when it is created and on request.
 */
export type SentEvent = NotificationEvent | StepEvent | TestWorkflowEventName | 'ping';

/**
 * Returns the notification event of a build's change to state `to`, or null for none. A blocked build is sent as
 * finished, with `blocked: true` in its payload.
 */
export function eventOfBuild(to: BuildState): NotificationEvent | null {
  if (to === 'scheduled' || to === 'running' || to === 'failing') return `build.${to}`;
  if (to === 'skipped' || to === 'not_run') return 'build.skipped';
  return isBuildFinished(to) || to === 'blocked' ? 'build.finished' : null;
}

const ended: ReadonlySet<JobState> = new Set(['finished', 'canceled', 'timed_out', 'expired']);

/** Event type of a job's state change; null for jobs that never ran (skipped, broken) and for wait steps. */
export function eventOfJob(type: JobType, to: JobState): NotificationEvent | null {
  if (type === 'block' || type === 'input') return to === 'unblocked' ? 'job.activated' : null;
  if (type === 'wait') return null;
  if (to === 'scheduled') return 'job.scheduled';
  if (to === 'running') return 'job.started';
  return ended.has(to) ? 'job.finished' : null;
}

const agentStates: Readonly<Record<string, NotificationEvent>> = {
  connected: 'agent.connected',
  lost: 'agent.lost',
  disconnected: 'agent.disconnected',
  stopping: 'agent.stopping',
  stopped: 'agent.stopped',
};

/** Returns the event of an agent's change of connection state; null if the state does not change (a pause). */
export function eventOfAgent(from: string | null, to: string): NotificationEvent | null {
  return from === to ? null : (agentStates[to] ?? null);
}

/** The events of a `webhook` or `basecamp_campfire` entry of `notify`: created, started, blocked, finished. */
export const notifyWebhookEvents: ReadonlySet<string> = new Set<NotificationEvent>([
  'build.scheduled',
  'build.running',
  'build.finished',
  'build.skipped',
]);
