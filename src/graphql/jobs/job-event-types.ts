import type { EventRow } from '../../entities/database.js';
import type { JobEventType } from '../enums.js';

type EventWord = (typeof JobEventType)[keyof typeof JobEventType];

/** The member of JobEventType for each event of a job; what upstream has no word for is a change. */
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
  reprioritize: 'reprioritized',
  retried: 'retried',
  retry: 'retried',
};

/** What kind of event a row is, in the words of the wire. */
export function jobEventWord({ type, fromState, toState }: Pick<EventRow, 'type' | 'fromState' | 'toState'>): EventWord {
  const event = type.replace(/^job\./, '');
  if (event === 'cancel' || event === 'time_out' || event === 'force_stop') return stopped(toState);
  if (event === 'requeue') return fromState === 'accepted' ? 'accepted_expired' : fromState === 'reserved' ? 'reserved_expired' : 'assigned_expired';
  return words[event] ?? 'changed';
}

/** Told to stop, or stopped. */
function stopped(toState: string | null): EventWord {
  if (toState === 'canceling') return 'cancelation';
  return toState === 'canceled' ? 'canceled' : toState === 'timed_out' || toState === 'timing_out' ? 'timed_out' : 'changed';
}

const typeNames: Partial<Record<EventWord, string>> = {
  assigned: 'JobEventAssigned',
  canceled: 'JobEventCanceled',
  changed: 'JobEventChanged',
  finished: 'JobEventFinished',
  retried: 'JobEventRetried',
  timed_out: 'JobEventTimedOut',
};

/** The object type an event is shown as. */
export const jobEventTypeName = (event: EventRow): string => typeNames[jobEventWord(event)] ?? 'JobEventGeneric';
