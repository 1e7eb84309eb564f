/**
 * Schedules the statements of a `DataLoader`: each with all that is asked until the one before is answered, and until
 * some time has passed since that one was sent. `before` is the statement before, `dueAt` the earliest time of the
 * next, as `performance.now()`.
 */
export function gathered(before: () => Promise<unknown>, dueAt: () => number): (start: () => void) => void {
  return (start) =>
    void before().then(() => {
      const wait = dueAt() - performance.now();
      if (wait > 0) setTimeout(start, wait);
      else setImmediate(start);
    });
}
