import fc from 'fast-check';
import { Sketch, sketchBase, sketchError } from '../../../../src/domain/builds/insights/sketch.js';

const shares = [0, 0.5, 0.9, 0.95, 1];
const longestMs = 5 * 366 * 24 * 3_600_000;
const times = fc.array(fc.oneof(fc.nat(60_000), fc.nat(longestMs)), { minLength: 1, maxLength: 300 });

/** The bucket of a time, as `figures-of-rows.ts` says it in SQL. */
const bucketOf = (milliseconds: number): number =>
  milliseconds < 1 ? 0 : 1 + Math.ceil(Math.log(milliseconds) / Math.log(sketchBase));

const sketchOfTimes = (milliseconds: readonly number[]): Sketch => Sketch.of(milliseconds.map(bucketOf).join(' '));

/** What `percentile_cont` gives, in seconds. */
function percentile(milliseconds: readonly number[], share: number): number {
  const sorted = [...milliseconds].sort((one, other) => one - other);
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  const low = sorted[below] ?? NaN;
  return (low + ((sorted[Math.ceil(place)] ?? NaN) - low) * (place - below)) / 1000;
}

test('percentiles are as near to those of the values as is said', () => {
  fc.assert(
    fc.property(times, (milliseconds) => {
      sketchOfTimes(milliseconds)
        .percentiles(shares)
        .forEach((estimate, index) => {
          const exact = percentile(milliseconds, shares[index] ?? NaN);
          // Times are whole milliseconds, of which the first bucket has the only one.
          expect(Math.abs((estimate ?? NaN) - exact)).toBeLessThanOrEqual(exact * sketchError + 1e-9);
        });
    }),
  );
});

test('two sketches added up are that of all values, packed or not', () => {
  fc.assert(
    fc.property(times, times, (some, others) => {
      const whole = sketchOfTimes([...some, ...others]);
      const sum = sketchOfTimes(some);
      sum.add(sketchOfTimes(others));
      expect(sum.pack()).toBe(whole.pack());
      expect(sum.percentiles(shares)).toEqual(whole.percentiles(shares));
      const unpacked = Sketch.unpack(sketchOfTimes(some).pack());
      unpacked.addPacked(sketchOfTimes(others).pack());
      expect(unpacked.pack()).toBe(whole.pack());
    }),
  );
});

test('a sketch of nothing has no percentiles', () => {
  expect(Sketch.of(null).percentiles([0.5, 0.95])).toEqual([null, null]);
  expect(Sketch.of('').percentiles([0.5])).toEqual([null]);
  expect(new Sketch().pack()).toBe('');
  const sum = Sketch.of('7');
  sum.add(new Sketch());
  expect(sum.pack()).toBe(Sketch.of('7').pack());
});

test('large counts are packed whole', () => {
  const sketch = new Sketch();
  const counts = [
    [0, 31],
    [1, 32],
    [700, 2 ** 31],
  ] as const;
  for (const [bucket, values] of counts) sketch.count(bucket, values);
  // A = 0, f = 31; B and gB = 1 and 32; then 699 and 2 ** 31.
  expect(sketch.pack()).toBe('AfBgB7VggggggC');
  expect(Sketch.unpack(sketch.pack()).pack()).toBe(sketch.pack());
});
