import type { Clock } from '../../src/services/clock.js';

/** A clock that a test moves. It starts at a round time and stands still until it is moved. */
export class TestClock implements Clock {
  private time = Date.parse('2026-01-02T03:04:05.000Z');
  private passed = 1_000;

  now(): Date {
    return new Date(this.time);
  }

  monotonic(): number {
    return this.passed;
  }

  /** Moves forward by seconds (backward with a negative number, as clocks may jump). */
  advance(seconds: number): void {
    this.time += seconds * 1000;
    this.passed += Math.max(0, seconds * 1000);
  }

  /** Changes only the time of day, as an administrator or a time server does; no time passes. */
  jump(seconds: number): void {
    this.time += seconds * 1000;
  }

  set(time: Date): void {
    this.time = time.getTime();
  }
}
