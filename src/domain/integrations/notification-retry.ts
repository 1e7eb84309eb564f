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

/** Whether a receiver accepted a delivery: 2xx only. Any other status, redirects included, is retried. */
export const isTaken = (status: number): boolean => status >= 200 && status < 300;
