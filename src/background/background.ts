import type { Services } from '../services.js';
import { buildDueSchedules } from './builds/build-due-schedules.js';
import { DeletionPurge } from './deletions/purge-deletions.js';
import { Outbox } from './outbox/outbox.js';
import { endPauses } from './agents/end-pauses.js';
import { loseSilentAgents } from './agents/lose-silent-agents.js';
import { expireOverdueJobs } from './builds/expire-overdue-jobs.js';
import { finishSuiteRuns } from './suites/finish-suite-runs.js';
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

const roundsAtMost = 10_000;

/** Runs all due work and its consequences until nothing is left; for tests and one-off runs. */
export async function runUntilIdle(services: Services): Promise<void> {
  const outbox = new Outbox(services);
  const deletions = new DeletionPurge();
  for (let round = 0; round < roundsAtMost; round += 1) {
    const delivered = await outbox.round();
    const purged = await deletions.round(services);
    const done =
      (await expireOverdueJobs(services)) +
      (await loseSilentAgents(services)) +
      (await endPauses(services)) +
      (await finishSuiteRuns(services)) +
      (await buildDueSchedules(services));
    if (!delivered && !purged && done === 0) return;
  }
  throw new Error('background work does not come to rest');
}
