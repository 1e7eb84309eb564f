import DataLoader from 'dataloader';

interface BatchOptions {
  /** Items that a batch has at most. */
  size: number;
  /** Least milliseconds between the beginnings of two batches, asked for each batch; 0 if absent. */
  intervalMs?: () => number;
  /** What a batch waits for besides, from the end of the one before it. */
  ready?: () => Promise<unknown>;
}

/**
 * Takes items one by one and works on them in batches: what comes while a batch is under way makes the next one. So
 * however many callers there are, the database has one statement or transaction of theirs at a time; an item that comes
 * alone waits for nobody.
 */
export class BatchQueue<Item, Result> {
  /** Items that wait for their batch to begin. */
  waiting = 0;
  private readonly loader: DataLoader<Item, Result>;
  private underWay: Promise<unknown> = Promise.resolve();
  private begunAt = Number.NEGATIVE_INFINITY;

  /** @param work gives the results in the order of the items; an error for an item is that of its caller alone */
  constructor(
    private readonly work: (items: readonly Item[]) => Promise<readonly (Result | Error)[]>,
    private readonly options: BatchOptions,
  ) {
    this.loader = new DataLoader<Item, Result>((items) => this.begin(items), {
      cache: false,
      maxBatchSize: options.size,
      batchScheduleFn: (begin) => void this.schedule(begin),
    });
  }

  /** Resolves to the result of the item; rejects with its error or that of its batch. */
  add(item: Item): Promise<Result> {
    this.waiting += 1;
    return this.loader.load(item);
  }

  private async schedule(begin: () => void): Promise<void> {
    const { intervalMs, ready } = this.options;
    await this.underWay;
    await ready?.();
    const wait = intervalMs ? this.begunAt + intervalMs() - performance.now() : 0;
    if (wait > 0) setTimeout(begin, wait);
    else setImmediate(begin);
  }

  private begin(items: readonly Item[]): Promise<readonly (Result | Error)[]> {
    this.waiting -= items.length;
    this.begunAt = performance.now();
    const done = this.work(items);
    this.underWay = done.catch(() => undefined);
    return done;
  }
}
