import { wait } from '../wait.js';

/** A server that is this far behind gets no more requests than one a minute of each agent. */
const longestPauseMs = 60_000;
const doublingsAtMost = 6;

/** Time as calls are paced by it: milliseconds from any moment on, a wait as of `wait`, and chance from 0 to 1. */
export interface PaceTime {
  now: () => number;
  wait: typeof wait;
  random: () => number;
}

/**
 * The moments of calls that are repeated: one an interval, each late by up to one more, so that a fleet does not come
 * in step. Where calls fail or take long, the pauses grow with that: a server that has too much to do is not asked more
 * often than it can answer.
 */
export class Pace {
  private at: number;
  private failures = 0;
  private slowMs = 0;
  private beganAt = 0;

  /** @param firstAfterMs pause before the first call, without its random delay */
  constructor(
    private readonly intervalMs: number,
    private readonly stop: AbortSignal,
    firstAfterMs = 0,
    private readonly time: PaceTime = { now: () => performance.now(), wait, random: Math.random },
  ) {
    this.at = time.now() + firstAfterMs;
  }

  /** Waits for the next moment; false if `stop` was aborted. */
  async next(): Promise<boolean> {
    if (!(await this.time.wait(Math.max(0, this.at - this.time.now()), this.stop))) return false;
    const pauseMs = this.pauseMs;
    this.at = this.time.now() + pauseMs;
    if (!(await this.time.wait(this.time.random() * pauseMs, this.stop))) return false;
    this.beganAt = this.time.now();
    return true;
  }

  /** The call was answered. */
  answered(): void {
    this.failures = 0;
    this.slowMs = this.time.now() - this.beganAt;
    this.at = Math.max(this.at, this.time.now() + this.slowMs);
  }

  /** The call failed in a way that may pass. */
  failed(): void {
    this.failures = Math.min(this.failures + 1, doublingsAtMost);
    this.at = Math.max(this.at, this.time.now() + this.pauseMs);
  }

  /** The next call need not wait for its interval. */
  skip(): void {
    this.at = this.time.now();
  }

  private get pauseMs(): number {
    const grown = Math.min(this.intervalMs * 2 ** this.failures, Math.max(this.intervalMs, longestPauseMs));
    return Math.max(grown, Math.min(this.slowMs, longestPauseMs));
  }
}
