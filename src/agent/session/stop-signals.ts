/** The part of `process` that signals arrive at. */
export type SignalSource = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

export interface StopSignals {
  /** For `startAgent`'s `signal`. */
  graceful: AbortSignal;
  /** For `startAgent`'s `stopNow`. */
  now: AbortSignal;
  /** Gives the process its signals back. */
  dispose: () => void;
}

/**
 * SIGTERM or SIGINT once: let the job end. Twice, or SIGQUIT: cancel it.
 */
export function listenForStopSignals(source: SignalSource = process): StopSignals {
  const graceful = new AbortController();
  const now = new AbortController();
  const stop = (): void => (graceful.signal.aborted ? now : graceful).abort();
  const stopNow = (): void => now.abort();
  source.on('SIGTERM', stop).on('SIGINT', stop).on('SIGQUIT', stopNow);
  return {
    graceful: graceful.signal,
    now: now.signal,
    dispose: () => void source.off('SIGTERM', stop).off('SIGINT', stop).off('SIGQUIT', stopNow),
  };
}
