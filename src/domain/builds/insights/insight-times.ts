import { limits } from '../../limits/limits.js';
import { Problem } from '../../problem.js';
import { type BuildInsight, type InsightGroup, noInsight } from './insight.js';

const hourMs = 3_600_000;
const lengths = { day: 24 * hourMs, hour: hourMs } as const;
/** Groups of which each is a piece of time. */
export type InsightTime = keyof typeof lengths;

export const isInsightTime = (group: InsightGroup): group is InsightTime => group in lengths;

/** The last so many hours of UTC that are over. */
export function lastHours(hours: number, now: Date): { from: Date; to: Date } {
  const to = Math.floor(now.getTime() / hourMs) * hourMs;
  return { from: new Date(to - hours * hourMs), to: new Date(to) };
}

/** Throws `invalid` where there would be too many rows. */
export function refuseTooManyTimes(by: InsightGroup, { from, to }: { from: Date; to: Date }): void {
  const length = to.getTime() - from.getTime();
  if (by === 'hour' && length > limits.insightHours * hourMs)
    throw new Problem('invalid', `By hour, from and to are at most ${limits.insightHours} hours apart`);
  if (by === 'day' && length > limits.insightDays * lengths.day)
    throw new Problem('invalid', `By day, from and to are at most ${limits.insightDays} days apart`);
}

/** The days (`2026-01-31`) or hours (`2026-01-31T15:00:00Z`) of UTC that have a part between two times. */
export function timesBetween(by: InsightTime, { from, to }: { from: Date; to: Date }): string[] {
  const length = lengths[by];
  const times: string[] = [];
  for (let time = Math.floor(from.getTime() / length) * length; time < to.getTime(); time += length)
    times.push(timeKey(by, time));
  return times;
}

/** The day or hour of UTC that a moment is in, as the keys of rows name it. */
export function timeKey(by: InsightTime, moment: number): string {
  const text = new Date(Math.floor(moment / lengths[by]) * lengths[by]).toISOString();
  return by === 'day' ? text.slice(0, 10) : text.replace('.000Z', 'Z');
}

/** The rows of every time: one in which nothing was built has a row of zeros. */
export function withEveryTime(times: readonly string[], rows: readonly BuildInsight[]): BuildInsight[] {
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return times.map((key) => byKey.get(key) ?? noInsight(key, key));
}
