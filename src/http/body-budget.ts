import type { IncomingMessage, ServerResponse } from 'node:http';
import { getHeapStatistics } from 'node:v8';
import { bodyBytes } from '../domain/limits/memory-bounds.js';
import { Problem } from '../domain/problem.js';

/** Bodies up to this size are not counted: requests in flight bound their number. */
const smallBytes = 256 * 1024;
const retryAfter = 5;
/** Milliseconds without a byte after which a body gives way to another one. */
const stalledMs = 5_000;

/**
 * Bytes of the larger bodies that one process holds at a time, from before they are read until their requests are
 * answered.
 */
export class BodyBudget {
  /** Bytes that are held. */
  held = 0;
  /** Bodies that were refused since the process started. */
  refused = 0;

  private readonly bodies = new WeakMap<IncomingMessage, HeldBody>();
  private readonly large = new Set<HeldBody>();

  constructor(
    private readonly bytes: number,
    private readonly patienceMs = stalledMs,
  ) {}

  /**
   * Holds as many bytes as the body of the request announces, at most `most`, until the response is closed. Throws
   * `unavailable` with `Retry-After` before any of it is read if they do not fit beside the others. What a body without
   * a length has, and a compressed one once it is decompressed, shows while it is read: see {@link HeldBody.grow}.
   */
  hold(request: IncomingMessage, most: number): HeldBody {
    const body = this.bodyOf(request);
    const announced = Number(request.headers['content-length'] ?? 0);
    body.grow(Number.isFinite(announced) ? Math.min(announced, most) : 0);
    return body;
  }

  /** Returns the body of a request with the bytes that it holds so far. */
  bodyOf(request: IncomingMessage): HeldBody {
    const known = this.bodies.get(request);
    if (known) return known;
    const body = new HeldBody(this, request);
    this.bodies.set(request, body);
    // Express connects a request with its response.
    const { res: response } = request as { res?: ServerResponse };
    const end = response ?? request;
    if (end.closed) body.release();
    else end.once('close', () => body.release());
    return body;
  }

  /** Charges bytes to a body; throws if all bodies together exceed the budget, except for a body that is alone. */
  take(body: HeldBody, bytes: number): void {
    if (!this.hasRoom(body, bytes)) this.endStalled(body);
    if (!this.hasRoom(body, bytes)) {
      this.refused += 1;
      throw new Problem('unavailable', 'Too many large requests arrive at once. Please try again.', { retryAfter });
    }
    this.held += bytes;
    this.large.add(body);
  }

  giveBack(body: HeldBody, bytes: number): void {
    this.held -= bytes;
    this.large.delete(body);
  }

  private hasRoom(body: HeldBody, bytes: number): boolean {
    return this.held <= body.bytes || this.held + bytes <= this.bytes;
  }

  /**
   * Ends the requests whose senders have paused: a few that announce much and send nothing would keep everybody out.
   */
  private endStalled(but: HeldBody): void {
    for (const body of this.large) if (body !== but && body.isStalled(this.patienceMs)) body.end();
  }
}

/** The body of one request. */
export class HeldBody {
  /** Bytes that are held for it. */
  bytes = 0;
  private isReleased = false;
  private arrivedAt = performance.now();

  constructor(
    private readonly budget: BodyBudget,
    private readonly request: IncomingMessage,
  ) {}

  /**
   * Raises the bytes that the body holds to `bytes`; throws `unavailable` if they do not fit. Called for each piece
   * that arrives.
   */
  grow(bytes: number): void {
    this.arrivedAt = performance.now();
    if (this.isReleased || bytes <= smallBytes || bytes <= this.bytes) return;
    this.budget.take(this, bytes - this.bytes);
    this.bytes = bytes;
  }

  /** Whether nothing has arrived for so long, though there is more to come. */
  isStalled(ms: number): boolean {
    return !this.request.complete && performance.now() - this.arrivedAt > ms;
  }

  /** Ends the request. */
  end(): void {
    this.release();
    this.request.destroy();
  }

  release(): void {
    this.isReleased = true;
    this.budget.giveBack(this, this.bytes);
    this.bytes = 0;
  }
}

/** The budget of the process, which all surfaces share. */
export const bodyBudget = new BodyBudget(bodyBytes(getHeapStatistics().heap_size_limit));
