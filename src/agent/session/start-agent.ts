import { setMaxListeners } from 'node:events';

import { IdleMonitor } from './idle-monitor.js';
import { removeLeftovers } from '../job/leftovers.js';
import { LockTable } from '../job-socket/lock-table.js';
import { resolveOptions, type AgentExit, type AgentOptions } from '../options.js';
import { runWorker } from './worker.js';

/** Node fires timers that are longer at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Time, beyond the grace period of a canceled job, for which an agent that must stop now tries to reach the server. */
const lastWordsMs = 10_000;

/**
 * Runs the bundled agent (or `spawn` of them) until the server, an option or a signal ends it.
 * @param signal aborted: finish the current job, accept no more, disconnect
 * @param stopNow aborted: cancel the current job too (reported as `agent_stop`); ends within the grace period and about
 * ten seconds
 * @returns how it ended; with several agents, the worst end
 * @throws RangeError for invalid options; never for failures of the server
 */
export async function startAgent(
  options: AgentOptions,
  signal?: AbortSignal,
  stopNow?: AbortSignal,
): Promise<AgentExit> {
  const resolved = resolveOptions(options);
  const never = new AbortController().signal;
  const now = AbortSignal.any([stopNow ?? never]);
  const uptime = new AbortController();
  const graceful = AbortSignal.any([signal ?? never, now, uptime.signal]);
  const giveUp = new AbortController();
  // Every call of every agent listens while it runs; that is no leak.
  setMaxListeners(0, now, graceful, giveUp.signal);
  let timer: NodeJS.Timeout | undefined;
  const onStopNow = (): void => {
    timer = setTimeout(() => giveUp.abort(), resolved.cancelGracePeriod * 1000 + lastWordsMs);
  };
  if (now.aborted) onStopNow();
  else now.addEventListener('abort', onStopNow, { once: true });

  await removeLeftovers(resolved.log);
  const shared = {
    idle: new IdleMonitor(resolved.disconnectAfterIdleTimeout),
    locks: new LockTable(),
    registered: Promise.resolve(),
  };
  const { disconnectAfterUptime: seconds } = resolved;
  const upFor = seconds && setTimeout(() => uptime.abort(), Math.min(seconds * 1000, longestTimerMs));
  try {
    const exits = await Promise.all(
      Array.from({ length: resolved.spawn }, (_, index) =>
        runWorker(resolved, index + 1, shared, { graceful, now, giveUp: giveUp.signal }),
      ),
    );
    return exits.reduce((worst, exit) => (exit.code > worst.code ? exit : worst));
  } finally {
    clearTimeout(timer);
    clearTimeout(upFor);
    now.removeEventListener('abort', onStopNow);
  }
}
