import { maxHeaders } from '../../limits/log-limits.js';

/**
 * An agent's time (RFC 3339, zero to nine digits of a second's fraction) as nanoseconds since the epoch,
 * or null where it is not one.
 */
export function nanoseconds(text: string): bigint | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (!parts) return null;
  const milliseconds = Date.parse(`${parts[1] ?? ''}${parts[3] ?? ''}`);
  if (Number.isNaN(milliseconds)) return null;
  return BigInt(milliseconds) * 1_000_000n + BigInt((parts[2] ?? '').padEnd(9, '0'));
}

/**
 * Reads the body an old agent sends to `header_times`: header number to time.
 * Entries that are no number below the limit or no time are left out; the agent would not send them again.
 */
export function readHeaderTimes(body: unknown): Map<number, bigint> {
  const times = new Map<number, bigint>();
  if (typeof body !== 'object' || body === null || !('header_times' in body)) return times;
  const entries: unknown = body.header_times;
  if (typeof entries !== 'object' || entries === null) return times;
  for (const [key, value] of Object.entries(entries)) {
    const time = typeof value === 'string' ? nanoseconds(value) : null;
    if (/^\d{1,6}$/.test(key) && Number(key) < maxHeaders && time !== null) times.set(Number(key), time);
  }
  return times;
}

/**
 * Returns the `header_times` of a log: one entry for each header line, in order, in nanoseconds since the epoch. Times
 * sent by the agent take precedence over time marks in the log. A header with neither takes the time of the previous
 * header, or the first known time if there is no previous one; if no time is known, the list is empty. The numbers
 * exceed 2^53: write them to JSON digit by digit (`jobLogJson`), never through `Number`.
 */
export function mergeHeaderTimes(marked: readonly (bigint | null)[], sent: ReadonlyMap<number, bigint>): bigint[] {
  const length = Math.max(marked.length, ...[...sent.keys()].map((index) => index + 1));
  const known = Array.from({ length }, (_, index) => sent.get(index) ?? marked[index] ?? null);
  let previous = known.find((time) => time !== null);
  if (previous == null) return [];
  return known.map((time) => (previous = time ?? previous) as bigint);
}
