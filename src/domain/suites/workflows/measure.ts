import type { ExecutionResult } from '../results/result.js';
import type { Monitor } from './monitor.js';

/** What a measuring monitor remembers of a test: the newest results or durations, the newest last. */
export interface Remembered {
  /** A letter each, `P` or `F`. */
  results?: string;
  /** Seconds each. */
  durations?: number[];
}

/** One execution of a test, as monitors see it. */
export interface Observation {
  result: ExecutionResult;
  /** Seconds; null if the upload does not say. */
  duration: number | null;
}

/** What is remembered after more executions, which come in their order. */
export function remember(
  { type, window }: Pick<Monitor, 'type' | 'window'>,
  before: Remembered,
  observations: readonly Observation[],
): Remembered {
  const most = window ?? 0;
  const decided = observations.filter(({ result }) => result === 'passed' || result === 'failed');
  if (type === 'duration')
    return {
      durations: [...(before.durations ?? []), ...decided.flatMap(({ duration }) => duration ?? [])].slice(-most),
    };
  const letters = decided.map(({ result }) => (result === 'passed' ? 'P' : 'F')).join('');
  return { results: ((before.results ?? '') + letters).slice(-most) };
}

/** The value of a monitor, and of how many executions; null where there are too few to say. */
export interface Measured {
  value: number | null;
  executions: number;
}

/**
 * The value of what is remembered. Transitions are divided by the whole window, also where there were fewer results; a
 * median is said of a whole window only, so that one slow execution at first is no alarm.
 */
export function measure({ type, window }: Pick<Monitor, 'type' | 'window'>, remembered: Remembered): Measured {
  const most = window ?? 0;
  if (type === 'duration') {
    const durations = remembered.durations ?? [];
    return { value: durations.length < most ? null : median(durations), executions: durations.length };
  }
  const results = remembered.results ?? '';
  return { value: transitions(results) / most, executions: results.length };
}

/** Changes between a pass and a failure in a text of results. */
function transitions(results: string): number {
  let count = 0;
  for (let at = 1; at < results.length; at += 1) if (results[at] !== results[at - 1]) count += 1;
  return count;
}

/** The middle of the values, between the two in the middle where they are even in number; null of none. */
function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(middle) - 1], sorted[Math.floor(middle)]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** What a value means for a test: an alarm only where it is in none, a recovery only where it is in one. */
export function judge(
  { alarm, recover }: Pick<Monitor, 'alarm' | 'recover'>,
  value: number | null,
  inAlarm: boolean,
): WorkflowEvent | null {
  if (value === null) return null;
  if (!inAlarm) return alarm !== null && value >= alarm ? 'alarm' : null;
  return recover !== null && value <= recover ? 'recover' : null;
}

export const workflowEvents = ['alarm', 'recover'] as const;
export type WorkflowEvent = (typeof workflowEvents)[number];
