/** A straight line through points, by least squares. */
export interface Slope {
  /** Growth of y for each x. */
  perUnit: number;
  standardError: number;
}

/** Null for fewer than three points, or where all have the same x. */
export function slopeOf(points: readonly { x: number; y: number }[]): Slope | null {
  const count = points.length;
  if (count < 3) return null;
  const meanX = sum(points.map(({ x }) => x)) / count;
  const meanY = sum(points.map(({ y }) => y)) / count;
  const spread = sum(points.map(({ x }) => (x - meanX) ** 2));
  if (spread === 0) return null;
  const perUnit = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / spread;
  const residuals = sum(points.map(({ x, y }) => (y - meanY - perUnit * (x - meanX)) ** 2));
  return { perUnit, standardError: Math.sqrt(residuals / (count - 2) / spread) };
}

/** The middle value; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
