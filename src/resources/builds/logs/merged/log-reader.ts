import type { TaskInput, TaskName, TaskOutput } from '../../../../workers/tasks.js';
import { TaskTooDear } from '../../../../workers/pool.js';
import type { Services } from '../../../../services/services.js';

/** One that makes something of a merged log as its parts go by, each of which ends with a line where it can. */
export interface LogReader {
  /** Takes the next part; false where it wants no more of them, and nothing is to be stored. */
  part(bytes: Buffer, isDamaged: () => boolean): Promise<boolean>;
  /** Stores what it has made, after the last part. */
  end(): Promise<void>;
}

/** The output of a task of the product itself; null where it was too dear. */
export async function digested<Name extends TaskName>(
  { workers }: Services,
  name: Name,
  input: TaskInput<Name>,
): Promise<TaskOutput<Name> | null> {
  try {
    return await workers.run(name, 'system', input);
  } catch (error) {
    if (error instanceof TaskTooDear) return null;
    throw error;
  }
}
