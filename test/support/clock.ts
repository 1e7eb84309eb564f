import type { Clock } from '../../src/clock.js';

/** A clock that a test moves. It starts at a round time and stands still until told otherwise. */
export class TestClock implements Clock {
  private time = Date.parse('2026-01-02T03:04:05.000Z');

  now(): Date {
    return new Date(this.time);
  }

  /** Moves on by seconds (backwards with a negative number: clocks jump). */
  advance(seconds: number): void {
    this.time += seconds * 1000;
  }

  set(time: Date): void {
    this.time = time.getTime();
  }
}
