/** Bytes that one direction has room for; what is longer is sent as a message of the thread. */
const room = 256 * 1024;
const headBytes = 8;
/** Milliseconds after which a thread that is not called has a turn of its event loop. */
const idleMs = 1_000;

/** Places in the head: the number of calls so far, and what the last one brings. */
const calls = 0;
const content = 1;
/** Content that is no number of bytes. */
const asMessage = -1;
const theEnd = -2;

export const newMailbox = (): SharedArrayBuffer => new SharedArrayBuffer(headBytes + 2 * room);

function over(memory: SharedArrayBuffer) {
  return {
    head: new Int32Array(memory, 0, headBytes / 4),
    request: new Uint8Array(memory, headBytes, room),
    reply: new Uint8Array(memory, headBytes + room, room),
  };
}

/**
 * Memory in which the caller of a thread leaves one request at a time and finds its reply: a message between threads costs several
 * times what waking one does.
 */
export class CallerMailbox {
  private readonly parts: ReturnType<typeof over>;

  constructor(memory: SharedArrayBuffer) {
    this.parts = over(memory);
  }

  /** Puts the pieces together and wakes the thread; false where they have no room, so that `callByMessage` has to. */
  call(pieces: readonly Uint8Array[]): boolean {
    const { request } = this.parts;
    let length = 0;
    for (const piece of pieces) {
      if (length + piece.length > room) return false;
      request.set(piece, length);
      length += piece.length;
    }
    this.wake(length);
    return true;
  }

  /** Wakes the thread to take the message that was posted to it. */
  callByMessage(): void {
    this.wake(asMessage);
  }

  end(): void {
    this.wake(theEnd);
  }

  /** A copy of the reply, which the next one overwrites. */
  reply(length: number): Buffer {
    return Buffer.from(this.parts.reply.subarray(0, length));
  }

  private wake(what: number): void {
    const { head } = this.parts;
    Atomics.store(head, content, what);
    Atomics.add(head, calls, 1);
    Atomics.notify(head, calls);
  }
}

/** The same memory as the thread that is called sees it. */
export class ThreadMailbox {
  /** Where a reply is written. */
  readonly reply: Uint8Array;
  private readonly parts: ReturnType<typeof over>;
  private seen = 0;

  constructor(memory: SharedArrayBuffer) {
    this.parts = over(memory);
    this.reply = this.parts.reply;
  }

  /**
   * Sleeps until the next call; gives its bytes, `message` where they come as one, `nothing` after a second without a call, and
   * null at the end.
   */
  next(): Uint8Array | 'message' | 'nothing' | null {
    const { head, request } = this.parts;
    // The caller may be late with waking the thread for a call that it has seen already: only the count says that there is one.
    while (Atomics.load(head, calls) === this.seen)
      if (Atomics.wait(head, calls, this.seen, idleMs) === 'timed-out') return 'nothing';
    this.seen = (this.seen + 1) | 0;
    const length = Atomics.load(head, content);
    if (length === theEnd) return null;
    return length === asMessage ? 'message' : request.subarray(0, length);
  }
}
