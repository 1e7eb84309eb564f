import { setTimeout as sleep } from 'node:timers/promises';

/** Waits `ms`; gives `false` at once when `signal` aborts (or already has), `true` when the time is over. */
export async function wait(ms: number, signal?: AbortSignal): Promise<boolean> {
  if (signal?.aborted) return false;
  try {
    await sleep(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
