import { isStorable, unstorable } from '../input-text.js';

/** Kinds of stacks: the vendor's two, and all others. */
export const stackTypes = ['kubernetes', 'elastic', 'custom'] as const;
export type StackType = (typeof stackTypes)[number];

export type StackState = 'connected' | 'disconnected' | 'lost';

/** Milliseconds without a request for jobs after which a stack is lost; a working stack asks every few seconds. */
export const stackLostMs = 180_000;

/** Returns the state of a stack: signed off, silent for too long, or connected. */
export function stackState(
  { disconnectedAt, lastConnectedAt }: { disconnectedAt: Date | null; lastConnectedAt: Date },
  now: Date,
): StackState {
  if (disconnectedAt !== null) return 'disconnected';
  return now.getTime() - lastConnectedAt.getTime() > stackLostMs ? 'lost' : 'connected';
}

/** Returns the best state among stacks; null without any. */
export function bestState(stacks: readonly Parameters<typeof stackState>[0][], now: Date): StackState | null {
  const states = new Set(stacks.map((stack) => stackState(stack, now)));
  return (['connected', 'lost', 'disconnected'] as const).find((state) => states.has(state)) ?? null;
}

/** Names that stacks use for the default queue of their cluster. */
const defaultQueueWords: ReadonlySet<string> = new Set(['_default', '__default__', '~', '-']);

/** Whether a queue key stands for the default queue, where no queue has that very key. */
export const namesDefaultQueue = (key: string): boolean => defaultQueueWords.has(key);

/** Seconds for which a reservation lasts that names no time. */
export const reservationSeconds = 900;

/** Age of a job's end after which notifications about it are refused. */
const notifiableMs = 300_000;
/** Milliseconds that the clock of a stack may be ahead: a notification so far in the future counts as sent now. */
const skewMs = 60_000;

/** A notification that a stack wants to attach to a job, as it came. */
export interface NotificationDraft {
  detail: string | null;
  timestamp: Date | 'invalid' | null;
}

/**
 * Returns why a notification is refused, in the words of the compatible service; null for one to store. `stored`: the
 * number of notifications that the job has.
 */
export function notificationProblem(
  { detail, timestamp }: NotificationDraft,
  job: { createdAt: Date; finishedAt: Date | null; stored: number } | null,
  { now, detailLength, perJob }: { now: Date; detailLength: number; perJob: number },
): string | null {
  if (job === null) return 'job not found';
  if (detail === null || detail.trim() === '') return 'detail is required';
  if (detail.length > detailLength) return `detail is too long (maximum is ${detailLength} characters)`;
  if (!isStorable(detail)) return `detail ${unstorable}`;
  if (timestamp === 'invalid') return 'timestamp is invalid';
  if (timestamp !== null && timestamp.getTime() > now.getTime() + skewMs) return 'timestamp cannot be in the future';
  if (timestamp !== null && timestamp.getTime() + skewMs < job.createdAt.getTime())
    return 'timestamp cannot be before the job was created';
  if (job.finishedAt !== null && now.getTime() - job.finishedAt.getTime() > notifiableMs)
    return `job finished more than ${notifiableMs / 1000} seconds ago`;
  return job.stored >= perJob ? 'job stack notification count exceeded' : null;
}
