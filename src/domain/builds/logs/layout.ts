/** Position of a stored run of log bytes in the raw log, in bytes. */
export interface StoredRange {
  offset: number;
  size: number;
}

/** A stored run as it appears in the readable log. */
export interface Segment<T extends StoredRange> {
  entry: T;
  /** Bytes at the beginning of the run that an earlier run holds already. */
  skip: number;
  /** Bytes it adds. */
  length: number;
  /** Position in the readable log. */
  position: number;
}

/** How far a log is laid out: where its runs end in the raw log and in the readable log. */
export interface Placed {
  rawEnd: number;
  readableEnd: number;
}

/**
 * Lays stored runs, given in the order of (offset, sequence), end to end into the log that readers see.
 *
 * - Overlap: the run that comes first in that order wins; the next one adds only what lies beyond it.
 * - Gap: the log of a running job ends before it, so that what a reader has seen never moves; once the job
 *   is finished the bytes are lost for good and the gap is passed over.
 *
 * The result depends on the set of runs alone, not on the order they arrived in.
 */
export class LogLayout {
  private rawEnd: number;
  private readableEnd: number;
  private stopped = false;

  /** Begins with a log, or after the runs that were placed by then. */
  constructor(
    private readonly finished: boolean,
    { rawEnd, readableEnd }: Placed = { rawEnd: 0, readableEnd: 0 },
  ) {
    this.rawEnd = rawEnd;
    this.readableEnd = readableEnd;
  }

  /** Bytes of readable log placed so far. */
  get size(): number {
    return this.readableEnd;
  }

  /** True once a gap ended the log; no later run can be placed. */
  get ended(): boolean {
    return this.stopped;
  }

  /** Places the next run; null where it adds nothing. */
  place<T extends StoredRange>(entry: T): Segment<T> | null {
    if (entry.offset > this.rawEnd && !this.finished) this.stopped = true;
    if (this.stopped) return null;
    const end = entry.offset + entry.size;
    const skip = Math.max(0, this.rawEnd - entry.offset);
    const length = entry.size - skip;
    if (length <= 0) return null;
    const position = this.readableEnd;
    this.rawEnd = end;
    this.readableEnd += length;
    return { entry, skip, length, position };
  }
}
