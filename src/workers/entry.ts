import type { TaskInput, TaskName, TaskOutput } from './tasks.js';
import { tasks } from './tasks.js';
import { begin, type Progress } from './time-limit.js';

/** Message to a thread: a task with its input, and the memory in which it records that it has begun. */
export interface ThreadTask<Name extends TaskName = TaskName> {
  name: Name;
  input: TaskInput<Name>;
  progress: Progress;
}

/** Does one task in a thread. Libraries are loaded before that is noted: loading is not the caller's doing. */
// eslint-disable-next-line no-restricted-exports -- the pool looks for this export
export default async function work<Name extends TaskName>({
  name,
  input,
  progress,
}: ThreadTask<Name>): Promise<TaskOutput<Name>> {
  const run = await tasks[name].load();
  begin(progress);
  return run(input);
}
