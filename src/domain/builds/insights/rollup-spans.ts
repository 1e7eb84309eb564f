import { limits } from '../../limits/limits.js';
import { rollupSpans, type RollupSpan } from './rollup.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Rows are read instead of rollups that may be deleted by the time they are read. */
const slackMs = dayMs;

const keptDays: Readonly<Record<RollupSpan, number>> = {
  hour: limits.rollupHoursKeptDays,
  day: limits.rollupDaysKeptDays,
  month: limits.rollupMonthsKeptDays,
};

/** A time, in milliseconds since the epoch; `to` is not part of it. */
export interface Stretch {
  from: number;
  to: number;
}

/** Whole spans of one length. */
export interface RollupStretch extends Stretch {
  span: RollupSpan;
}

/** When the span of a moment begins; `spans` on is that of a later one. */
export function spanBegin(span: RollupSpan, moment: number, spans = 0): number {
  if (span !== 'month') {
    const length = span === 'day' ? dayMs : hourMs;
    return (Math.floor(moment / length) + spans) * length;
  }
  const date = new Date(moment);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + spans, 1);
}

/** Rollups of a length that begin before are deleted; all builds that ended before `foldedUntil` are in them. */
export const keptSince = (span: RollupSpan, foldedUntil: number): number => foldedUntil - keptDays[span] * dayMs;

/** Hours that begin before this time are over, and have nearly all of their builds in rollups. */
export const closedUntil = (foldedUntil: number): number => spanBegin('hour', foldedUntil - hourMs);

/**
 * Where the figures of a time come from: rollups of whole spans, as long ones as there are up to `longest`, and rows
 * for what is left at its ends, in hours that are not over or whose rollups are deleted.
 */
export function planStretches(
  { from, to }: Stretch,
  { foldedUntil, longest }: { foldedUntil: number | null; longest: RollupSpan },
): { rollups: RollupStretch[]; rows: Stretch[] } {
  const rollups: RollupStretch[] = [];
  const rows: Stretch[] = [];
  if (foldedUntil === null) return { rollups, rows: [{ from, to }] };
  const closed = Math.max(from, Math.min(to, closedUntil(foldedUntil)));
  const cover = (stretch: Stretch, rank: number): void => {
    if (stretch.from >= stretch.to) return;
    const span = rollupSpans[rank];
    if (span === undefined) return void rows.push(stretch);
    const since = keptSince(span, foldedUntil) + slackMs;
    const first = spanBegin(span, Math.max(stretch.from, since) - 1, 1);
    const last = spanBegin(span, stretch.to);
    if (first >= last) return cover(stretch, rank - 1);
    cover({ from: stretch.from, to: first }, rank - 1);
    rollups.push({ span, from: first, to: last });
    cover({ from: last, to: stretch.to }, rank - 1);
  };
  cover({ from, to: closed }, rollupSpans.indexOf(longest));
  cover({ from: closed, to }, -1);
  return { rollups, rows: joined(rows) };
}

/**
 * Rollups of the hours with a part in a time, as long ones as there are up to `longest`, where they are added to as
 * time passes. Hours whose rollups are deleted are left out.
 */
export function planHours(
  { from, to }: Stretch,
  { now, longest }: { now: number; longest: RollupSpan },
): readonly RollupStretch[] {
  const whole = { from: spanBegin('hour', from), to: spanBegin('hour', to - 1, 1) };
  // The hour that is under way has a rollup, and so it counts as over.
  return planStretches(whole, { foldedUntil: spanBegin('hour', now, 2), longest }).rollups;
}

/** A whole span with the number of its figures. */
interface CountedSpan {
  span: RollupSpan;
  begin: number;
  keys: number;
}

/** Divides spans, in their order, into pages of so many figures at most; a span that has more is a page of its own. */
export function pagesOfSpans(spans: readonly CountedSpan[], most: number): RollupStretch[][] {
  const pages: RollupStretch[][] = [];
  let left = 0;
  for (const { span, begin, keys } of spans) {
    let page = pages.at(-1);
    if (!page || keys > left) {
      pages.push((page = []));
      left = most;
    }
    left -= keys;
    const last = page.at(-1);
    const to = spanBegin(span, begin, 1);
    // There is nothing between them.
    if (last?.span === span) last.to = to;
    else page.push({ span, from: begin, to });
  }
  return pages;
}

/** The same stretches, those that touch as one. */
function joined(stretches: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  for (const stretch of stretches) {
    const last = all.at(-1);
    if (last?.to === stretch.from) last.to = stretch.to;
    else all.push({ ...stretch });
  }
  return all;
}
