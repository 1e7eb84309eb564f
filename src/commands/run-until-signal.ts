import type { Logger } from '../services/services.js';
import { catchUncaught } from '../server/last-resort.js';

/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
  /** Reports uncaught errors; without it they end the process at once. */
  log?: Logger;
}

/** Longest duration of a stop: supervisors kill after 10 seconds. */
const patience = 9_500;

/**
 * Starts something and closes it on SIGTERM or SIGINT; returns once it is closed. A signal while it still starts ends
 * the process at once: every step of a start is one transaction or repeatable. A second signal does not wait.
 * `stopped` closes it too when it is aborted.
 */
export async function runUntilSignal<T extends Running>(
  start: () => Promise<T>,
  { stopped: stopAsked }: { stopped?: AbortSignal | undefined } = {},
): Promise<void> {
  let running: T | null = null;
  let stopping = false;
  let stopped: (() => void) | null = null;
  const whenStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  let failed = false;
  const onSignal = () => {
    if (!running) process.exit(0);
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => process.exit(failed ? 1 : 0), patience).unref();
    running
      .close()
      .catch(reportStop)
      .finally(() => stopped?.());
  };
  const onAbort = () => {
    if (!stopping) onSignal();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  stopAsked?.addEventListener('abort', onAbort);
  if (stopAsked?.aborted) onAbort();
  try {
    running = await start();
    if (running.log) {
      catchUncaught(running.log, () => {
        failed = true;
        if (!stopping) onSignal();
      });
    }
    await whenStopped;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
    stopAsked?.removeEventListener('abort', onAbort);
  }
  // A library that keeps a handle open must not keep a stopped process alive.
  process.exit(failed ? 1 : 0);
}

function reportStop(error: unknown): void {
  process.stderr.write(`error while stopping: ${error instanceof Error ? error.message : String(error)}\n`);
}
