/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}

/** How long a stop may take: supervisors kill after 10 seconds (operations.md, `GET /healthz`). */
const patience = 9_500;

/**
 * Starts something and closes it on SIGTERM or SIGINT; returns once it is closed. A signal while it still starts ends
 * the process at once: every step of a start is one transaction or repeatable. A second signal does not wait.
 */
export async function runUntilSignal<T extends Running>(start: () => Promise<T>): Promise<void> {
  let running: T | null = null;
  let told = false;
  let stopped: (() => void) | null = null;
  const whenStopped = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const onSignal = () => {
    if (!running) process.exit(0);
    if (told) process.exit(1);
    told = true;
    setTimeout(() => process.exit(0), patience).unref();
    running.close().catch(reportStop).finally(() => stopped?.());
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  try {
    running = await start();
    await whenStopped;
  } finally {
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
  }
  // Whatever a library still holds open must not keep a stopped process alive.
  process.exit(0);
}

function reportStop(error: unknown): void {
  process.stderr.write(`error while stopping: ${error instanceof Error ? error.message : String(error)}\n`);
}
