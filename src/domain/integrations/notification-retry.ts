const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** Time for which a delivery is retried before it fails: a receiver may be down over a weekend. */
export const deliveryLifetimeMs = 72 * hour;

const delays = [10 * second, 30 * second, 2 * minute, 5 * minute, 15 * minute, 30 * minute];
const longest = hour;

/**
 * The wait in milliseconds before the next try, after `attempts` tries (1 or more), spread by `spread` (0 to 1) over a
 * fifth so that a receiver that comes back is not met by everybody at once. Never falls, never exceeds 72 minutes.
 */
export function deliveryDelayMs(attempts: number, spread: number): number {
  const delay = delays[Math.max(1, attempts) - 1] ?? longest;
  return Math.round(delay * (1 + spread / 5));
}

/** Attempts of a message that is of no use to people after an hour, and the pauses between them: an hour together. */
const hourlyDelays = [30 * second, 2 * minute, 7.5 * minute, 15 * minute, 35 * minute];

/**
 * The wait in milliseconds before the next try of such a message, after `attempts` tries (1 or more), spread like
 * {@link deliveryDelayMs}; null after the sixth try.
 */
export function hourlyDelayMs(attempts: number, spread: number): number | null {
  const delay = hourlyDelays[Math.max(1, attempts) - 1];
  return delay === undefined ? null : Math.round(delay * (1 + spread / 5));
}

/** A service is broken when so many of its deliveries in a row have failed for good, over so long. */
const breaking = { failures: 50, overMs: 24 * hour };

/** Whether a service is broken whose deliveries have failed so often in a row, since then. */
export const isBreaking = (failures: number, since: Date, now: Date): boolean =>
  failures >= breaking.failures && now.getTime() - since.getTime() >= breaking.overMs;

/** Whether a receiver accepted a delivery: 2xx only. Any other status, redirects included, is retried. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300;
