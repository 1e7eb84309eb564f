import type { ServerResponse } from 'node:http';
import { Problem } from '../domain/problem.js';

/** A reply that waits, with what decides when it may be sent. */
interface Waiter<Wish> {
  wish: Wish;
  /** Ends its wait. */
  admit(): void;
}

interface Looks {
  /** Looks at the replies that are being sent, for as long as others wait. */
  look(): void;
  /** Time between two looks. */
  everyMs: number;
  /** Called when one has left without being admitted: those behind it may not have to wait. */
  left?(): void;
}

/** Replies that wait to be sent, in order of arrival: until they are admitted, their clients leave, or time is up. */
export class ReplyQueue<Wish> implements Iterable<Waiter<Wish>> {
  private readonly waiters = new Set<Waiter<Wish>>();
  private looks: NodeJS.Timeout | null = null;

  constructor(private readonly options: Looks) {}

  get size(): number {
    return this.waiters.size;
  }

  [Symbol.iterator](): Iterator<Waiter<Wish>> {
    return this.waiters[Symbol.iterator]();
  }

  /** Waits to be admitted, at most `ms`; rejects with `refusal` after that, with `timed_out` if the client leaves. */
  wait(response: ServerResponse, wish: Wish, ms: number, refusal: () => Problem): Promise<void> {
    const { look, everyMs, left } = this.options;
    this.looks ??= setInterval(look, everyMs).unref();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        response.off('close', close);
        this.waiters.delete(waiter);
        if (this.waiters.size > 0 || !this.looks) return;
        clearInterval(this.looks);
        this.looks = null;
      };
      const refuse = (problem: Problem) => {
        leave();
        reject(problem);
        left?.();
      };
      const close = () => refuse(new Problem('timed_out', 'The client has left'));
      const timer = setTimeout(() => refuse(refusal()), ms);
      const admit = () => {
        leave();
        resolve();
      };
      const waiter: Waiter<Wish> = { wish, admit };
      this.waiters.add(waiter);
      response.once('close', close);
    });
  }
}
