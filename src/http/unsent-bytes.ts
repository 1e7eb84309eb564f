import { getHeapStatistics } from 'node:v8';
import type { ServerResponse } from 'node:http';
import { limits } from '../domain/limits/limits.js';
import { Problem } from '../domain/problem.js';
import { ReplyQueue } from './reply-queue.js';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Bytes of large replies that wait to be read by their clients, for the whole process. */
const mostUnsent = Math.max(64 * MiB, Math.floor(getHeapStatistics().heap_size_limit / 8));

/** Bytes that a client must read between two checks while other replies wait for room. */
const leastBytesUnderPressure = 512 * KiB;
const lookEveryMs = 5_000;

/** A large reply that is being sent. */
interface Sending {
  response: ServerResponse;
  /** Bytes that have room and are not sent yet. */
  unsent: number;
  /** Those at the last look; null before the first. */
  lastUnsent: number | null;
}

/** What a reply waits for. */
interface Room {
  bytes: number;
  isSmall: boolean;
}

const busy = () =>
  new Problem('unavailable', 'Too many large replies are being sent. Please try again.', { retryAfter: 5 });

/** Of the room: the most that a small reply has, and the part of it that the others cannot take from small ones. */
const smallShare = 1 / 16;
const shareOfSmall = 1 / 4;

/**
 * The room of large replies that are sent at a time. A reply beyond it waits, in order of arrival, and clients that
 * read slowly are disconnected meanwhile: they would keep everybody else from large replies for as long as they like.
 * The smaller ones do not wait behind the larger ones, and a part of the room is theirs.
 */
export class UnsentBytes {
  /** Replies whose clients were disconnected because others waited for their room, since the process started. */
  evicted = 0;
  private used = 0;
  private readonly sending = new Set<Sending>();
  private readonly queue: ReplyQueue<Room>;

  constructor(
    private readonly most = mostUnsent,
    lookMs = lookEveryMs,
  ) {
    this.queue = new ReplyQueue({ look: () => this.evictSlow(), everyMs: lookMs, left: () => this.admitNext() });
  }

  get bytes(): number {
    return this.used;
  }

  /** Replies that wait for room. */
  get waiting(): number {
    return this.queue.size;
  }

  /**
   * Takes room for a reply. Gives the function to call with bytes that were sent; the rest is given back when the
   * response closes. Rejects with `unavailable` after `limits.requestSeconds`.
   */
  async take(response: ServerResponse, bytes: number): Promise<(sent: number) => void> {
    const isSmall = this.isSmall(bytes);
    if (this.isQueued(isSmall) || !this.hasRoom(bytes))
      await this.queue.wait(response, { bytes, isSmall }, limits.requestSeconds * 1000, busy);
    else this.used += bytes;
    const sending: Sending = { response, unsent: bytes, lastUnsent: null };
    const giveBack = (sent: number) => {
      const handed = Math.min(sent, sending.unsent);
      sending.unsent -= handed;
      this.used -= handed;
      this.admitNext();
    };
    const end = () => {
      this.sending.delete(sending);
      giveBack(sending.unsent);
    };
    if (response.destroyed) end();
    else {
      this.sending.add(sending);
      response.once('close', end);
    }
    return giveBack;
  }

  /** Whether a reply of `bytes` may be sent now; a reply larger than all the room is sent alone. */
  private hasRoom(bytes: number): boolean {
    const most = this.isSmall(bytes) ? this.most : this.most * (1 - shareOfSmall);
    return this.used === 0 || this.used + bytes <= most;
  }

  private isSmall(bytes: number): boolean {
    return bytes <= this.most * smallShare;
  }

  private isQueued(isSmall: boolean): boolean {
    for (const { wish } of this.queue) if (wish.isSmall === isSmall) return true;
    return false;
  }

  private admitNext(): void {
    const blocked = new Set<boolean>();
    for (const { wish, admit } of this.queue) {
      if (blocked.has(wish.isSmall)) continue;
      if (this.hasRoom(wish.bytes)) {
        this.used += wish.bytes;
        admit();
      } else blocked.add(wish.isSmall);
    }
  }

  private evictSlow(): void {
    for (const sending of this.sending) {
      const { unsent, lastUnsent, response } = sending;
      sending.lastUnsent = unsent;
      // The last bytes are in the socket, which others look after.
      if (lastUnsent === null || unsent === 0 || lastUnsent - unsent >= leastBytesUnderPressure) continue;
      this.evicted += 1;
      response.destroy();
    }
  }
}

/** The unsent bytes of this process. */
export const unsentBytes = new UnsentBytes();
