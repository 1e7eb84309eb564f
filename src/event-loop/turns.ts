/**
 * Milliseconds that pieces of work may take in one turn of the event loop together: sockets and timers have theirs in
 * between.
 */
const shareMs = 8;

/**
 * Shares the event loop between all work that comes in pieces. Node runs everything that waits for the next turn within
 * it: pieces of thirty replies, each of them short, would keep sockets and timers waiting for the sum of them. There is
 * one instance for the process.
 */
class Turns {
  /** Time at which the work of this turn began; null before it begins. */
  private began: number | null = null;
  private waiting: (() => void)[] = [];
  private released = 0;

  next(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      setImmediate(this.take);
    });
  }

  /** Releases one that waits, whose work goes on before Node calls the next; each has a call of its own. */
  private readonly take = (): void => {
    if (this.began === null) {
      this.began = performance.now();
      setImmediate(() => {
        this.began = null;
      });
    } else if (performance.now() - this.began >= shareMs) {
      setImmediate(this.take);
      return;
    }
    const release = this.waiting[this.released];
    this.released += 1;
    if (this.released === this.waiting.length || this.released > 1_000) {
      this.waiting = this.waiting.slice(this.released);
      this.released = 0;
    }
    release?.();
  };
}

const turns = new Turns();

/** Gives way to others: resolves in a later turn of the event loop that has time for more work, in order of arrival. */
export const nextTurn = (): Promise<void> => turns.next();
