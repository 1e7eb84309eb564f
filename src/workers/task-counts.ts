import { type TaskName, tasks } from './tasks.js';

/** End of a task: in a thread, small enough to need none, by an error, at its time or memory limit, or never begun. */
export const outcomes = ['done', 'small', 'failed', 'timed_out', 'out_of_memory', 'refused'] as const;
export type Outcome = (typeof outcomes)[number];

/** Figures of one kind of task since the start of the process. */
export interface TaskCounts {
  waiting: number;
  running: number;
  ended: Record<Outcome, number>;
  /** Seconds that threads worked on it. */
  seconds: number;
}

const none = (): TaskCounts => ({
  waiting: 0,
  running: 0,
  ended: { done: 0, small: 0, failed: 0, timed_out: 0, out_of_memory: 0, refused: 0 },
  seconds: 0,
});

export type CountsByTask = Record<TaskName, TaskCounts>;

export function noCounts(): CountsByTask {
  return Object.fromEntries(Object.keys(tasks).map((name) => [name, none()])) as CountsByTask;
}
