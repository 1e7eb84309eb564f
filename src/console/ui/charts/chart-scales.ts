import { type ScaleBand, scaleBand, scaleLinear, scaleUtc } from 'd3-scale';

/** What the values of a chart are: numbers of things, amounts of any size, or seconds. */
export type Unit = 'count' | 'amount' | 'seconds';

/** A line or a part of the bars. */
export interface Series {
  name: string;
  /** By place; null where nothing has a value. */
  values: readonly (number | null)[];
  look: 'first' | 'second' | 'failed' | 'quiet';
}

/** Where things are in a drawing, in pixels from its upper left corner. */
export interface Scales {
  x: ScaleBand<number>;
  y: (value: number) => number;
  /** Values that the axis names. */
  ticks: number[];
}

export const margin = { top: 8, right: 8, bottom: 24, left: 52 };
const tickHeight = 48;
const barGap = 0.2;

/** Places that a person can choose, of `count` things along the width, up to the highest value. */
export function scalesOf(count: number, highest: number, unit: Unit, size: { width: number; height: number }): Scales {
  const x = scaleBand<number>(
    Array.from({ length: count }, (_, index) => index),
    [margin.left, Math.max(margin.left + 1, size.width - margin.right)],
  ).padding(barGap);
  const bottom = size.height - margin.bottom;
  const about = Math.max(2, Math.floor((bottom - margin.top) / tickHeight));
  const range = [bottom, margin.top];
  if (unit === 'count') {
    const y = scaleLinear([0, Math.max(1, highest)], range).nice(about);
    return { x, y, ticks: y.ticks(about).filter(Number.isInteger) };
  }
  if (unit === 'amount') {
    const y = scaleLinear([0, highest > 0 ? highest : 1], range).nice(about);
    return { x, y, ticks: y.ticks(about) };
  }
  // Times since 1970 have ticks at whole seconds, minutes and hours, as durations should.
  const times = scaleUtc([0, Math.max(1, highest) * 1000], range).nice(about);
  const ticks = times.ticks(about).map((time) => time.getTime() / 1000);
  return { x, y: (seconds) => times(seconds * 1000), ticks: ticks.filter(Number.isInteger) };
}

/** The place at a distance from the left. */
export function placeAt(x: ScaleBand<number>, distance: number): number {
  const last = x.domain().length - 1;
  const start = (x(0) ?? 0) - (x.step() - x.bandwidth()) / 2;
  return Math.min(last, Math.max(0, Math.floor((distance - start) / x.step())));
}

/** The place that a key of the keyboard leads to; null for other keys. */
export function placeAfter(key: string, place: number, count: number): number | null {
  const to = {
    ArrowLeft: place - 1,
    ArrowDown: place - 1,
    ArrowRight: place + 1,
    ArrowUp: place + 1,
    Home: 0,
    End: count - 1,
  }[key];
  return to === undefined ? null : Math.min(count - 1, Math.max(0, to));
}

const labelWidth = 64;

/** Places under which there is room for a label, the last one first of all. */
export function labeledPlaces(count: number, width: number): number[] {
  const room = Math.max(1, Math.floor((width - margin.left - margin.right) / labelWidth));
  const every = Math.max(1, Math.ceil(count / room));
  return Array.from({ length: count }, (_, index) => index).filter((index) => (count - 1 - index) % every === 0);
}

/** The highest value of lines, or of what is stacked. */
export function highestOf(series: readonly Series[], stacked: boolean): number {
  const values = series.map((each) => each.values.map((value) => value ?? 0));
  if (!stacked) return Math.max(0, ...values.flat());
  return Math.max(0, ...(values[0] ?? []).map((_, place) => values.reduce((sum, each) => sum + (each[place] ?? 0), 0)));
}
