import type { Services } from '../context.js';
import { buildDueSchedules } from '../operations/upkeep/build-due-schedules.js';
import { deliverMessage } from '../operations/upkeep/deliver-message.js';
import { endPauses } from '../operations/upkeep/end-pauses.js';
import { loseSilentAgents } from '../operations/upkeep/lose-silent-agents.js';
import { settleOverdueJobs } from '../operations/upkeep/settle-overdue-jobs.js';
import { settleRuns } from '../operations/upkeep/settle-runs.js';
import { Loop } from './loop.js';
import { tasks } from './tasks.js';

export interface Background {
  /** Stops taking up work and waits for what is under way, at most as long as a process has to go down. */
  stop(): Promise<void>;
  /** There may be something to do now. */
  wake(): void;
}

export interface BackgroundOptions {
  /** How long `stop` waits. */
  drainMs?: number;
  /** Multiplies every interval; below 1 in tests only. */
  scale?: number;
}

/**
 * Starts the work nobody asks for: outbox, deadlines, schedules, lost agents, pauses, retention. Any number of replicas may do
 * so at once: each item is taken under a lock, or changed with a guard on what was read.
 */
export function startBackground(services: Services, { drainMs = 8000, scale = 1 }: BackgroundOptions = {}): Background {
  const loops = tasks().map((task) => new Loop(services, task, scale));
  return {
    wake: () => loops.forEach((loop) => loop.wake()),
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

/** Does everything that is due now, and what follows from it, until nothing is left: for tests and single runs. */
export async function settle(services: Services): Promise<void> {
  for (let round = 0; round < roundsAtMost; round += 1) {
    const delivered = await deliverMessage(services);
    const done = (await settleOverdueJobs(services)) + (await loseSilentAgents(services)) + (await endPauses(services)) + (await settleRuns(services)) + (await buildDueSchedules(services));
    if (!delivered && done === 0) return;
  }
  throw new Error('background work does not come to rest');
}
