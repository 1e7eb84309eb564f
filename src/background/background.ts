import type { Services } from '../services/services.js';
import { Loop } from './loop.js';
import { tasks } from './tasks.js';

export interface Background {
  /** Stops taking up work and waits for work in progress, at most until the process's shutdown deadline. */
  stop(): Promise<void>;
  /** Wakes the loops, or the one of the task named: there may be work. */
  wake(task?: string): void;
}

export interface BackgroundOptions {
  /** Longest wait of `stop`. */
  drainMs?: number;
  /** Multiplies every interval; below 1 in tests only. */
  scale?: number;
  /** True for a process that leaves the installation's tasks to another one of the same server. */
  onlyOwn?: boolean;
}

/**
 * Starts the background tasks: outbox, deadlines, schedules, lost agents, pauses, deletions, retention. Any number of
 * replicas may run them at once: each item is taken under a lock, or changed with a guard on the values read.
 */
export function startBackground(
  services: Services,
  { drainMs = 8000, scale = 1, onlyOwn = false }: BackgroundOptions = {},
): Background {
  const loops = tasks()
    .filter(({ ofProcess }) => ofProcess || !onlyOwn)
    .map((task) => new Loop(services, task, scale));
  return {
    wake: (task) => loops.forEach((loop) => loop.wake(task)),
    stop: async () => {
      let timer: NodeJS.Timeout | undefined;
      const timeIsUp = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, drainMs);
      });
      await Promise.race([Promise.all(loops.map((loop) => loop.stop())), timeIsUp]);
      clearTimeout(timer);
    },
  };
}
