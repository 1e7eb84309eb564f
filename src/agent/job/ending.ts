/** How a canceled job's last hooks are ended. */
export interface Ending {
  cancel: AbortSignal;
  gracePeriodMs: number;
}

const longestMs = 5_000;
const lastGracePeriodMs = 1_000;

/**
 * Returns the time that the hooks after a command have when the job is canceled: as long as the command had, and at
 * most five seconds more. `close` ends the waiting.
 */
export function endingOf(cancel: AbortSignal, gracePeriodMs: number): Ending & { close: () => void } {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const onCancel = (): void => {
    timer = setTimeout(() => late.abort(), gracePeriodMs + Math.min(gracePeriodMs, longestMs));
  };
  if (cancel.aborted) onCancel();
  else cancel.addEventListener('abort', onCancel, { once: true });
  const close = (): void => {
    cancel.removeEventListener('abort', onCancel);
    clearTimeout(timer);
  };
  return { cancel: late.signal, gracePeriodMs: Math.min(gracePeriodMs, lastGracePeriodMs), close };
}
