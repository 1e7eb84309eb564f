/** Runs `work` once for all callers while it runs, and for `milliseconds` after it has succeeded. */
export function sharedFor<T>(milliseconds: number, work: () => Promise<T>): () => Promise<T> {
  let current: { result: Promise<T>; endedAt: number | null } | null = null;
  return () => {
    const usable = current !== null && (current.endedAt === null || performance.now() - current.endedAt < milliseconds);
    if (current !== null && usable) return current.result;
    const flight: { result: Promise<T>; endedAt: number | null } = { result: work(), endedAt: null };
    current = flight;
    flight.result.then(
      () => (flight.endedAt = performance.now()),
      () => (flight.endedAt = Number.NEGATIVE_INFINITY),
    );
    return flight.result;
  };
}
