/**
 * Runs `work` once for all callers while it runs, and for `milliseconds` after it has succeeded; after work that took
 * long, for `timesAsLong` of its time.
 */
export function sharedFor<T>(milliseconds: number, work: () => Promise<T>, { timesAsLong = 0 } = {}): () => Promise<T> {
  let current: { result: Promise<T>; endedAt: number | null } | null = null;
  let livesFor = milliseconds;
  return () => {
    const usable = current !== null && (current.endedAt === null || performance.now() - current.endedAt < livesFor);
    if (current !== null && usable) return current.result;
    const beganAt = performance.now();
    const flight: { result: Promise<T>; endedAt: number | null } = { result: work(), endedAt: null };
    current = flight;
    flight.result.then(
      () => {
        flight.endedAt = performance.now();
        livesFor = Math.max(milliseconds, timesAsLong * (flight.endedAt - beganAt));
      },
      () => (flight.endedAt = Number.NEGATIVE_INFINITY),
    );
    return flight.result;
  };
}
