/** Milliseconds that serializing results may take in one turn of the event loop, for all requests together. */
const sliceMs = 5;

/**
 * Divides work into slices of the event loop. Thousands of fields become ready at once when their common statement
 * returns; resolving all of them in one turn would block every other request. There is one instance for the process's
 * event loop.
 */
class Slices {
  /** Time at which the work of this turn began; null before it begins. */
  private began: number | null = null;
  private waiting: (() => void)[] = [];

  /**
   * Resolves when there is time for more work, in this turn or a later one, in order of arrival; undefined if there is
   * time now.
   */
  next(): Promise<void> | undefined {
    if (this.began === null) this.begin();
    return this.waiting.length === 0 && this.hasTime() ? undefined : this.behind();
  }

  /** Resolves after all current waiters have had their turn; undefined if there are none and there is time now. */
  behind(): Promise<void> | undefined {
    if (this.waiting.length === 0 && this.hasTime()) return undefined;
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private hasTime(): boolean {
    return this.began === null || performance.now() - this.began < sliceMs;
  }

  private begin(): void {
    this.began = performance.now();
    setImmediate(() => void this.endTurn());
  }

  /** Releases waiters while there is time; the rest wait for the next turn. */
  private async endTurn(): Promise<void> {
    this.began = null;
    if (this.waiting.length === 0) return;
    this.begin();
    const queue = this.waiting;
    let released = 0;
    while (released < queue.length && this.hasTime()) {
      queue[released]?.();
      released += 1;
      // Lets the released waiter run before the time is checked again.
      await null;
      await null;
    }
    queue.splice(0, released);
  }
}

export const slices = new Slices();
