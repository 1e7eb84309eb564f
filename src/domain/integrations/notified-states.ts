import type { BuildState } from '../builds/build-state.js';
import type { SentEvent } from './notification-events.js';

/** Outcomes of builds and jobs that a notification service can leave out, in the order the documentation lists them. */
export const notifiedStates = [
  'build_passed',
  'build_fixed',
  'build_failed',
  'build_blocked',
  'build_canceled',
  'build_failing',
  'job_activated',
] as const;
export type NotifiedState = (typeof notifiedStates)[number];
/** Whether each outcome is notified of. */
export type NotifiedStates = Record<NotifiedState, boolean>;

/** Whether this is the name of an outcome. */
export const isNotifiedState = (name: string): name is NotifiedState =>
  (notifiedStates as readonly string[]).includes(name);

const finished: Readonly<Partial<Record<BuildState, NotifiedState>>> = {
  passed: 'build_passed',
  failed: 'build_failed',
  blocked: 'build_blocked',
  canceled: 'build_canceled',
};

/** Outcome that an event tells of; null for an event that no service leaves out by its outcome. */
export function notifiedState(event: SentEvent, build: BuildState): NotifiedState | null {
  if (event === 'build.failing') return 'build_failing';
  if (event === 'job.activated') return 'job_activated';
  return event === 'build.finished' ? (finished[build] ?? null) : null;
}

/** Returns each outcome with whether it is notified: false for the outcomes in `withheld`. */
export function shownStates(withheld: readonly string[]): NotifiedStates {
  return Object.fromEntries(notifiedStates.map((state) => [state, !withheld.includes(state)])) as NotifiedStates;
}

/**
 * Outcomes that a new service leaves out: none if the request names none, else all that it does not name or names
 * false.
 */
export function withheldAtFirst(request: Partial<NotifiedStates> | null | undefined): NotifiedState[] {
  return request == null ? [] : notifiedStates.filter((state) => request[state] !== true);
}

/** Outcomes that a service leaves out after a change that names some of them. */
export function withheldAfter(before: readonly string[], request: Partial<NotifiedStates>): NotifiedState[] {
  const shown = { ...shownStates(before), ...request };
  return notifiedStates.filter((state) => !shown[state]);
}
