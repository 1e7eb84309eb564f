/** Work that waits for a thread. */
export interface Waiting {
  /** Caller that the task belongs to. */
  caller: string;
  /** Size of its input, which is in memory while it waits. */
  size: number;
  start(): void;
}

/** Most tasks and bytes that may wait, of one caller and of all. */
export interface QueueLimits {
  perCaller: number;
  total: number;
  bytesPerCaller: number;
  bytesTotal: number;
}

interface Line {
  tasks: Waiting[];
  size: number;
}

/**
 * A queue that takes its callers in turn, one task each: however much one of them sends, everybody else waits for
 * one of its tasks at most.
 */
export class FairQueue {
  /** By caller, whose turn is next first; a caller with nothing waiting has no line. */
  private readonly lines = new Map<string, Line>();
  private count = 0;
  private size = 0;

  constructor(private readonly limits: QueueLimits) {}

  /** Adds a task; false where its caller, or all callers together, have as much waiting as they may. */
  add(task: Waiting): boolean {
    const { perCaller, total, bytesPerCaller, bytesTotal } = this.limits;
    const line = this.lines.get(task.caller) ?? { tasks: [], size: 0 };
    if (line.tasks.length >= perCaller || this.count >= total) return false;
    // A single task is accepted regardless of its size, which other limits bound.
    if (line.tasks.length > 0 && (line.size + task.size > bytesPerCaller || this.size + task.size > bytesTotal))
      return false;
    line.tasks.push(task);
    line.size += task.size;
    this.lines.set(task.caller, line);
    this.count += 1;
    this.size += task.size;
    return true;
  }

  /** Takes the next caller's oldest task and puts the caller last. */
  take(): Waiting | null {
    for (const [caller, line] of this.lines) {
      this.lines.delete(caller);
      const task = line.tasks.shift();
      if (!task) continue;
      line.size -= task.size;
      if (line.tasks.length > 0) this.lines.set(caller, line);
      this.count -= 1;
      this.size -= task.size;
      return task;
    }
    return null;
  }
}
