import type { EventRow } from '../../../entities/database.js';
import type { JobEventType } from '../../enums.js';

type EventWord = (typeof JobEventType)[keyof typeof JobEventType];

/** Member of JobEventType for each event of a job; an event without one is shown as `changed`. */
const words: Record<string, EventWord> = {
  schedule: 'scheduled',
  limit: 'limited',
  reserve: 'reserved',
  assign: 'assigned',
  accept: 'accepted',
  acquire: 'accepted',
  start: 'started',
  pass: 'finished',
  fail: 'finished',
  expire: 'expired',
  lose_agent: 'agent_lost',
  unblock: 'unblocked',
  stack_finish: 'stack_finished',
  stack_error: 'stack_errored',
  stack_notification: 'stack_notification',
  promise_failure: 'promised_exit_status',
  upload: 'build_step_upload_created',
  reprioritize: 'reprioritized',
  retried: 'retried',
  retry: 'retried',
  retry_failed: 'retry_failed',
};

/** The member of JobEventType for an event. */
export function jobEventWord({
  type,
  fromState,
  toState,
}: Pick<EventRow, 'type' | 'fromState' | 'toState'>): EventWord {
  const event = type.replace(/^job\./, '');
  if (event === 'cancel' || event === 'time_out' || event === 'force_stop') return stopped(toState);
  if (event === 'requeue') {
    if (fromState === 'accepted') return 'accepted_expired';
    return fromState === 'reserved' ? 'reserved_expired' : 'assigned_expired';
  }
  return words[event] ?? 'changed';
}

/** The word for an event that stops a job, by the state that follows: being stopped, or stopped. */
function stopped(toState: string | null): EventWord {
  if (toState === 'canceling') return 'cancelation';
  if (toState === 'canceled') return 'canceled';
  return toState === 'timed_out' || toState === 'timing_out' ? 'timed_out' : 'changed';
}

const typeNames: Partial<Record<EventWord, string>> = {
  assigned: 'JobEventAssigned',
  canceled: 'JobEventCanceled',
  changed: 'JobEventChanged',
  finished: 'JobEventFinished',
  promised_exit_status: 'JobEventPromisedExitStatus',
  reprioritized: 'JobEventReprioritized',
  retried: 'JobEventRetried',
  retry_failed: 'JobEventRetryFailed',
  stack_errored: 'JobEventStackError',
  stack_finished: 'JobEventStackFinished',
  stack_notification: 'JobEventStackNotification',
  timed_out: 'JobEventTimedOut',
};

/** Name of the GraphQL type of an event. */
export const jobEventTypeName = (event: EventRow): string =>
  uploadOf(event) === null ? (typeNames[jobEventWord(event)] ?? 'JobEventGeneric') : 'JobEventBuildStepUploadCreated';

/**
 * ID of the upload that an event is about; null for events of other kinds, and for those from before uploads were kept.
 */
export function uploadOf({ type, data }: EventRow): string | null {
  const upload = type === 'job.upload' ? data?.['upload'] : null;
  return typeof upload === 'string' ? upload : null;
}
