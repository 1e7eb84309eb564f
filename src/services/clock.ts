/** Source of time for every rule; tests advance it. */
export interface Clock {
  /** The time of day; it may jump. */
  now(): Date;
  /** Milliseconds since an arbitrary moment, which never jump or go back: for durations. */
  monotonic(): number;
}

export const systemClock: Clock = { now: () => new Date(), monotonic: () => performance.now() };
