import { getHeapStatistics } from 'node:v8';
import { limits } from '../domain/limits/limits.js';
import { replyBytes } from '../domain/limits/memory-bounds.js';
import { Problem } from '../domain/problem.js';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes that the heap of this process may have (`--max-old-space-size`). */
const heapBytes = (): number => getHeapStatistics().heap_size_limit;

/** Bytes of rows that all requests in flight share: what is made of a row takes several times its bytes. */
const sharedBytes = (heap = heapBytes()): number => Math.floor(heap / 12);

/** Bytes that every request reads without asking: most requests never need more. */
const freeBytes = 512 * KiB;
/** Bytes that a request takes from the shared memory at a time. */
const stepBytes = 256 * KiB;

/** Of the shared memory: the most that a small request takes, and the part that large requests leave to small ones. */
const smallShare = 1 / 16;
const shareOfSmall = 1 / 4;

/** The refusal of a request that would read, or reply with, more than `most` bytes. */
export function replyTooLarge(most: number): Problem {
  return new Problem(
    'too_large',
    `The reply would need more than ${most < MiB ? `${Math.floor(most / KiB)} KiB` : `${Math.floor(most / MiB)} MiB`}: ask for fewer objects at a time (per_page, first), narrow the list by a filter, or read a single object`,
  );
}

/** Ends a statement for whose rows there is no room now: they are dropped, and the statement may be sent again. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';

  constructor() {
    super('the rows of this statement have no room beside those of other requests');
  }
}

/** Counts the rows of a statement as they arrive from the database. */
export interface RowMeter {
  /** Whether the connection may be cut if the database keeps sending: not inside a transaction, which would be lost. */
  readonly mayDisconnect: boolean;
  /**
   * Takes bytes that have arrived; the error to end the statement with, where they are too many: later rows are
   * dropped.
   */
  arrived(bytes: number): Error | null;
}

interface Waiter {
  share: ReadShare;
  bytes: number;
  admit(): void;
}

/**
 * The memory that requests read rows into, for the whole process. A request holds what it has read until its reply is
 * made. When the shared memory is used up, a statement is cut off and waits for room without a connection. The request
 * that has waited longest, and only that one, may exceed the shared memory up to its own bound: so requests never wait
 * for each other without end. Small requests do not wait behind large ones, and a part of the memory is theirs: a large
 * reply is held for as long as it waits to be sent.
 */
export class ReadMemory {
  /** Bytes that requests have taken. */
  used = 0;
  /** Since the process started: requests that wanted too much, and statements that waited for room. */
  readonly counts = { refused: 0, waits: 0 };
  private senior: ReadShare | null = null;
  /** Bytes that small requests have taken. */
  private usedBySmall = 0;
  private readonly queue = new Set<Waiter>();

  constructor(
    /** Bytes that one request may read. */
    readonly most = replyBytes(heapBytes()),
    private readonly total = sharedBytes(),
    private readonly free = freeBytes,
  ) {}

  /** Statements that wait for room. */
  get waiting(): number {
    return this.queue.size;
  }

  /** The share of one request; it is released when its reply is made. */
  share(): ReadShare {
    return new ReadShare(this, this.most, this.free);
  }

  /** Takes bytes for a share, if there is room or if they are taken in any case. */
  take(share: ReadShare, bytes: number, anyway: boolean): boolean {
    if (!anyway && this.senior !== share && !this.hasRoom(share, bytes)) return false;
    this.count(share, bytes);
    return true;
  }

  giveBack(share: ReadShare, bytes: number, isOver: boolean): void {
    this.count(share, -bytes);
    if (isOver && this.senior === share) this.senior = null;
    this.admitNext();
  }

  /**
   * Resolves when there is room for `bytes` more, and charges them to the share. Rejects when the signal aborts, or
   * with `unavailable` after `limits.requestSeconds`.
   */
  wait(share: ReadShare, bytes: number, signal: AbortSignal): Promise<void> {
    this.counts.waits += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        this.queue.delete(waiter);
        signal.removeEventListener('abort', abort);
      };
      const abort = () => {
        leave();
        reject(signal.reason as Error);
      };
      const timer = setTimeout(() => {
        leave();
        reject(
          new Problem('unavailable', 'Too many large replies are being made. Please try again.', { retryAfter: 5 }),
        );
      }, limits.requestSeconds * 1000);
      const waiter: Waiter = {
        share,
        bytes,
        admit: () => {
          leave();
          resolve();
        },
      };
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort);
      this.queue.add(waiter);
      this.admitNext();
    });
  }

  private admitNext(): void {
    const blocked = new Set<boolean>();
    for (const { share, bytes, admit } of this.queue) {
      this.senior ??= share;
      if (this.senior !== share) {
        const isSmall = this.isSmall(share.footprint + bytes);
        if (blocked.has(isSmall)) continue;
        if (!this.hasRoom(share, bytes)) {
          blocked.add(isSmall);
          continue;
        }
        share.hold(bytes);
      }
      admit();
    }
  }

  private isSmall(bytes: number): boolean {
    return bytes <= this.total * smallShare;
  }

  private hasRoom(share: ReadShare, bytes: number): boolean {
    const ofSmall = this.total * shareOfSmall;
    if (this.isSmall(share.footprint + bytes))
      return this.usedBySmall + bytes <= ofSmall || this.used + bytes <= this.total;
    return this.used - this.usedBySmall + bytes <= this.total - ofSmall && this.used + bytes <= this.total;
  }

  private count(share: ReadShare, bytes: number): void {
    const before = this.isSmall(share.footprint) ? share.footprint : 0;
    share.footprint += bytes;
    this.used += bytes;
    this.usedBySmall += (this.isSmall(share.footprint) ? share.footprint : 0) - before;
  }
}

/** The memory of servers that have none of their own. */
const processMemory = new ReadMemory();

/** The memory that requests read rows into. */
export const readMemoryOf = ({ readMemory = processMemory }: { readMemory?: ReadMemory }): ReadMemory => readMemory;

/** What one request has read from the database, and holds. */
export class ReadShare {
  /** Bytes of the shared memory, as {@link ReadMemory} counts them. */
  footprint = 0;
  private bytes = 0;
  private held = 0;
  private made = 0;
  private isReleased = false;

  constructor(
    private readonly memory: ReadMemory,
    /** Bytes that the request may read, and its reply have. */
    readonly most: number,
    private readonly free: number,
  ) {}

  /** The meter of one statement, which may wait for room. */
  statement(): StatementMeter {
    return new StatementMeter(this, true);
  }

  /**
   * The meter of a transaction: its locks must not wait for room, so that it takes what it needs up to the request's
   * bound.
   */
  transaction(): StatementMeter {
    return new StatementMeter(this, false);
  }

  /** Waits until a statement that was cut off after `bytes` can be sent again. */
  waitForRoom(bytes: number, signal: AbortSignal): Promise<void> {
    return this.memory.wait(this, Math.min(this.most, 2 * bytes + stepBytes), signal);
  }

  /** Holds bytes that the request has made of rows, as long as the rows. */
  charge(bytes: number): void {
    if (this.isReleased) return;
    this.made += bytes;
    this.memory.take(this, bytes, true);
  }

  /** Returns all memory of the request, whose rows are no longer used. */
  release(): void {
    this.isReleased = true;
    const { held, made } = this;
    this.bytes = this.held = this.made = 0;
    this.memory.giveBack(this, held + made, true);
  }

  /** Adds bytes; the error that ends the statement where they are too many. */
  add(bytes: number, anyway: boolean): Error | null {
    // The request has ended and released its memory: rows that still arrive are not charged.
    if (this.isReleased) return null;
    if (this.bytes + bytes > this.most) {
      this.memory.counts.refused += 1;
      return replyTooLarge(this.most);
    }
    const missing = this.bytes + bytes - this.free - this.held;
    if (missing > 0 && !this.grow(missing, anyway)) return new NoRoomError();
    this.bytes += bytes;
    return null;
  }

  /**
   * Gives back what was read so far, for a reply that is sent in pieces: it is sent, and what follows is counted anew.
   */
  clear(): void {
    this.drop(this.bytes);
  }

  /** Takes bytes off that were dropped. */
  drop(bytes: number): void {
    if (this.isReleased) return;
    this.bytes -= bytes;
    const spare = this.held - Math.max(0, this.bytes - this.free);
    if (spare <= 0) return;
    this.held -= spare;
    this.memory.giveBack(this, spare, false);
  }

  /** Holds bytes in advance. */
  hold(bytes: number): void {
    if (this.isReleased) return;
    this.held += bytes;
    this.memory.take(this, bytes, true);
  }

  private grow(missing: number, anyway: boolean): boolean {
    const amount = Math.max(missing, stepBytes);
    const isAhead = this.memory.take(this, amount, false);
    if (!isAhead && !this.memory.take(this, missing, anyway)) return false;
    this.held += isAhead ? amount : missing;
    return true;
  }
}

/**
 * Counts the bytes of one statement, or of the statements of one transaction, so that dropped rows can be subtracted
 * again.
 */
export class StatementMeter implements RowMeter {
  /** Bytes that have arrived and count. */
  bytes = 0;
  /** Whether the statement was cut off. */
  refused = false;

  constructor(
    private readonly share: ReadShare,
    readonly mayDisconnect: boolean,
  ) {}

  arrived(bytes: number): Error | null {
    const error = this.share.add(bytes, !this.mayDisconnect);
    if (error) this.refused = true;
    else this.bytes += bytes;
    return error;
  }

  /** Takes off what was counted: the rows are dropped. */
  giveBack(): void {
    this.share.drop(this.bytes);
    this.bytes = 0;
  }
}
