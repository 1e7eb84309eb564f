import { Problem } from '../problem.js';
import { readTimeRange } from '../time-range.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** How far back from now executions may count, as the documents name it. */
const lengths = {
  '1hour': hourMs,
  '4hours': 4 * hourMs,
  '1day': dayMs,
  '7days': 7 * dayMs,
  '14days': 14 * dayMs,
  '28days': 28 * dayMs,
} as const;
export type TestPeriod = keyof typeof lengths;
export const testPeriods = Object.keys(lengths) as [TestPeriod, ...TestPeriod[]];

/**
 * The time in which executions count: a period up to now, or between two moments; `to` is null for an open end. Throws
 * `invalid` for both at once, and for a time that is empty or too long.
 */
export function readWindow(
  {
    period,
    minTimestamp,
    maxTimestamp,
  }: { period?: TestPeriod | null; minTimestamp?: Date | null; maxTimestamp?: Date | null },
  now: Date,
): { from: Date; to: Date | null } {
  if (period && (minTimestamp || maxTimestamp))
    throw new Problem('invalid', 'Use either period or min_timestamp and max_timestamp');
  const ends = { from: minTimestamp, to: maxTimestamp, lengthMs: period ? lengths[period] : undefined };
  const { from } = readTimeRange(ends, now, { from: 'min_timestamp', to: 'max_timestamp' });
  return { from, to: maxTimestamp ?? null };
}
