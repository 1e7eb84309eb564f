/** Counts by labels, since the process started. The labels come from short lists of the program, never from callers. */
export class Tally<Labels extends readonly string[]> {
  private readonly counts = new Map<string, { labels: Labels; count: number }>();

  add(...labels: Labels): void {
    const key = labels.join('\n');
    const entry = this.counts.get(key);
    if (entry) entry.count += 1;
    else this.counts.set(key, { labels, count: 1 });
  }

  entries(): Iterable<{ labels: Labels; count: number }> {
    return this.counts.values();
  }
}

/** Durations in seconds, counted by upper bounds: a histogram without labels. */
export class Durations {
  /** Durations up to each bound and above the one before; the last are those above all bounds. */
  readonly counts: number[];
  sum = 0;

  /** `bounds`: in seconds, ascending. */
  constructor(readonly bounds: readonly number[]) {
    this.counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(seconds: number): void {
    const index = this.bounds.findIndex((bound) => seconds <= bound);
    const place = index < 0 ? this.bounds.length : index;
    this.counts[place] = (this.counts[place] ?? 0) + 1;
    this.sum += seconds;
  }

  /** Adds durations that were counted by the same bounds. */
  add(other: Durations): void {
    other.counts.forEach((count, place) => {
      this.counts[place] = (this.counts[place] ?? 0) + count;
    });
    this.sum += other.sum;
  }
}

/** Queues whose durations a process tells apart; those of more queues are counted together. */
const queuesApart = 1_000;
/** Key of the queues beyond. */
export const otherQueues = '';

/** Durations by the id of a queue. */
export class DurationsByQueue {
  private readonly byQueue = new Map<string, Durations>();

  constructor(readonly bounds: readonly number[]) {}

  observe(queueId: string, seconds: number): void {
    const key = this.byQueue.has(queueId) || this.byQueue.size < queuesApart ? queueId : otherQueues;
    let durations = this.byQueue.get(key);
    if (!durations) this.byQueue.set(key, (durations = new Durations(this.bounds)));
    durations.observe(seconds);
  }

  entries(): Iterable<[queueId: string, durations: Durations]> {
    return this.byQueue;
  }

  /** Forgets a queue, which was deleted. */
  forget(queueId: string): void {
    this.byQueue.delete(queueId);
  }
}
