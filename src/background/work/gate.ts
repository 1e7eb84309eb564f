import { setTimeout as sleep } from 'node:timers/promises';
import { AsyncValue } from '../../event-loop/async-value.js';

/** Longest that work waits to be alone: a receiver may take 15 seconds, and a long effect minutes. */
const patienceMs = 30_000;

/** The gates that what runs now is inside of. */
const inside = new AsyncValue<readonly Gate[]>();

/** Lets work run side by side, or one piece of it alone in the process, as far as work under way ends in time. */
export class Gate {
  private readonly underWay = new Set<Promise<unknown>>();
  private alone: Promise<unknown> | null = null;

  /**
   * Runs work beside other work; waits while another piece runs, or is about to run, alone. Inside of other work it
   * begins at once.
   */
  async beside<T>(work: () => Promise<T>): Promise<T> {
    if (this.isInside()) return work();
    while (this.alone) await this.alone;
    const run = this.enter(work);
    const ended = settled(run).finally(() => this.underWay.delete(ended));
    this.underWay.add(ended);
    return run;
  }

  /** Runs work with nothing beside it. Inside of other work it begins at once. */
  async byItself<T>(work: () => Promise<T>): Promise<T> {
    if (this.isInside()) return work();
    while (this.alone) await this.alone;
    const run = this.whenEmpty().then(() => this.enter(work));
    const ended = settled(run).finally(() => {
      if (this.alone === ended) this.alone = null;
    });
    this.alone = ended;
    return run;
  }

  private isInside(): boolean {
    return inside.get()?.includes(this) ?? false;
  }

  private enter<T>(work: () => Promise<T>): Promise<T> {
    return inside.run([...(inside.get() ?? []), this], work);
  }

  private async whenEmpty(): Promise<void> {
    const patience = new AbortController();
    await Promise.race([
      Promise.all(this.underWay),
      sleep(patienceMs, undefined, { ref: false, signal: patience.signal }).catch(() => undefined),
    ]);
    patience.abort();
  }
}

const settled = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    () => undefined,
  );
