import { readFileSync, readlinkSync } from 'node:fs';

/** CPU milliseconds that a thread has used, by the kernel's id of the thread; null if the platform does not tell. */
export type ThreadCpu = (thread: number) => number | null;

/**
 * Shared with the thread: the kernel's id of the thread, 0 until it begins, and the CPU milliseconds it had used by
 * then.
 */
export type Progress = Int32Array;

export const newProgress = (): Progress => new Int32Array(new SharedArrayBuffer(8));

/** Placeholder for a thread whose id cannot be found, as on systems other than Linux. */
const unknownThread = -1;

/** How often the time of a task is extended if its thread has not begun or got no CPU time, on a busy machine. */
const usualWaits = 10;

export const cpuOfThread: ThreadCpu = (thread) => {
  if (thread === unknownThread) return null;
  try {
    const nanoseconds = Number(readFileSync(`/proc/self/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
    return Number.isFinite(nanoseconds) ? nanoseconds / 1e6 : null;
  } catch {
    return null;
  }
};

/** Called by a thread as it begins with a task. */
export function begin(progress: Progress): void {
  const thread = ownThread();
  Atomics.store(progress, 1, Math.round(cpuOfThread(thread) ?? 0));
  Atomics.store(progress, 0, thread);
}

function ownThread(): number {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1)) || unknownThread;
  } catch {
    return unknownThread;
  }
}

/**
 * Aborts its signal after a task has used the given milliseconds of CPU time, or of wall time where CPU time cannot be
 * read. Waits several times as long for a thread that has not begun or got no CPU time.
 */
export class TimeLimit {
  /**
   * What ended the task: its own time (`used`) or a machine without CPU time for it (`starved`); null while it runs.
   */
  reached: 'used' | 'starved' | null = null;
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout;

  constructor(
    private readonly milliseconds: number,
    private readonly progress: Progress,
    private readonly cpuOf: ThreadCpu,
    private waits: number = usualWaits,
  ) {
    this.timer = setTimeout(this.check, milliseconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  clear(): void {
    clearTimeout(this.timer);
  }

  private readonly check = (): void => {
    const used = this.used();
    if (used >= this.milliseconds) this.end('used');
    else if (this.waits === 0) this.end('starved');
    else {
      this.waits -= 1;
      this.timer = setTimeout(this.check, this.milliseconds);
    }
  };

  private end(reason: 'used' | 'starved'): void {
    this.reached = reason;
    this.controller.abort();
  }

  /**
   * The kernel counts a running thread's time in ticks; a difference of the last ticks does not make the thread
   * starved.
   */
  private used(): number {
    const thread = Atomics.load(this.progress, 0);
    if (thread === 0) return 0;
    const cpu = this.cpuOf(thread);
    if (cpu === null) return this.milliseconds;
    return (cpu - Atomics.load(this.progress, 1)) * 1.25 + 10;
  }
}
