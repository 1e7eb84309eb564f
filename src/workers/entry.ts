import { raiseLimits, readLimits } from '../domain/limits/raised-limits.js';
import type { TaskInput, TaskName, TaskOutput } from './tasks.js';
import { tasks } from './tasks.js';
import { inPieces, type Pieces } from './pieces.js';
import { begin, type Progress } from './time-limit.js';

// A thread has modules of its own, and the environment of the process, which has checked it.
raiseLimits(readLimits(process.env['LIMITS'] ?? '').values);

/** Message to a thread: a task with its input, and the memory in which it records that it has begun. */
export interface ThreadTask<Name extends TaskName = TaskName> {
  name: Name;
  input: TaskInput<Name>;
  progress: Progress;
}

/**
 * Does one task in a thread; gives its output, or the JSON text or the pieces of it where the task says so. Libraries
 * are loaded before that is noted: loading is not the caller's doing.
 */
// eslint-disable-next-line no-restricted-exports -- the pool looks for this export
export default async function work<Name extends TaskName>({
  name,
  input,
  progress,
}: ThreadTask<Name>): Promise<TaskOutput<Name> | string | Pieces> {
  const { load, asJson, inPieces: list } = tasks[name];
  const run = await load();
  begin(progress);
  const output = run(input);
  if (list) return inPieces(output, list);
  return asJson ? JSON.stringify(output) : output;
}
