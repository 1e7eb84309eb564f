/** How far a percentile of a sketch may be from that of the values themselves, as a part of it. */
export const sketchError = 0.02;
/** Each bucket ends at so many times the end of the one before it. */
export const sketchBase = (1 + sketchError) / (1 - sketchError);

/** How many values each bucket has, by its number: counts of two sketches add up to that of all their values. */
export type Sketch = Map<number, number>;

/**
 * The bucket of a time in whole milliseconds: 0 for none, else one more than the least power of the base that is not
 * below it. `figures-of-rows.ts` says the same in SQL.
 */
export const bucketOf = (milliseconds: number): number =>
  milliseconds < 1 ? 0 : 1 + Math.ceil(Math.log(milliseconds) / Math.log(sketchBase));

/** The value that is as far from the begin of a bucket as from its end, each as a part of it; milliseconds. */
const valueOf = (bucket: number): number => (bucket === 0 ? 0 : (2 * sketchBase ** (bucket - 1)) / (sketchBase + 1));

/** Adds the values of another sketch. */
export function addSketch(to: Sketch, other: Sketch): void {
  for (const [bucket, count] of other) to.set(bucket, (to.get(bucket) ?? 0) + count);
}

/** Counts buckets as SQL lists them, parted by spaces. */
export function sketchOf(buckets: string | null): Sketch {
  const sketch: Sketch = new Map();
  if (!buckets) return sketch;
  for (const text of buckets.split(' ')) {
    const bucket = Number(text);
    sketch.set(bucket, (sketch.get(bucket) ?? 0) + 1);
  }
  return sketch;
}

/**
 * Seconds that these shares of the values do not exceed, interpolated between neighbours as `percentile_cont` of
 * PostgreSQL does; null for each without a value.
 */
export function percentilesOf(sketch: Sketch, shares: readonly number[]): (number | null)[] {
  const buckets = [...sketch].sort(([one], [other]) => one - other);
  const count = buckets.reduce((sum, [, values]) => sum + values, 0);
  if (count === 0) return shares.map(() => null);
  const valueAt = (rank: number): number => {
    let passed = 0;
    for (const [bucket, values] of buckets) {
      passed += values;
      if (rank < passed) return valueOf(bucket);
    }
    return 0;
  };
  return shares.map((share) => {
    const place = share * (count - 1);
    const below = Math.floor(place);
    const low = valueAt(below);
    const high = place > below ? valueAt(below + 1) : low;
    return (low + (high - low) * (place - below)) / 1000;
  });
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const digitOf = new Uint8Array(128);
for (let index = 0; index < digits.length; index += 1) digitOf[digits.charCodeAt(index)] = index;

/** The sketch as a short text: distances of buckets and their counts, five bits a character as in source maps. */
export function packSketch(sketch: Sketch): string {
  let text = '';
  const write = (number: number): void => {
    let left = number;
    while (left >= 32) {
      text += digits[32 + (left % 32)];
      left = Math.floor(left / 32);
    }
    text += digits[left];
  };
  let last = 0;
  for (const [bucket, count] of [...sketch].sort(([one], [other]) => one - other)) {
    write(bucket - last);
    write(count);
    last = bucket;
  }
  return text;
}

/** Adds the values of a packed sketch. */
export function addPackedSketch(to: Sketch, text: string): void {
  let at = 0;
  let bucket = 0;
  const read = (): number => {
    let number = 0;
    for (let factor = 1; ; factor *= 32) {
      const digit = digitOf[text.charCodeAt(at)] ?? 0;
      at += 1;
      number += (digit % 32) * factor;
      if (digit < 32) return number;
    }
  };
  while (at < text.length) {
    bucket += read();
    const count = read();
    to.set(bucket, (to.get(bucket) ?? 0) + count);
  }
}
