import fc from 'fast-check';
import {
  addPackedSketch,
  addSketch,
  bucketOf,
  packSketch,
  percentilesOf,
  type Sketch,
  sketchError,
  sketchOf,
} from '../../../../src/domain/builds/insights/sketch.js';

const shares = [0, 0.5, 0.9, 0.95, 1];
const longestMs = 5 * 366 * 24 * 3_600_000;
const times = fc.array(fc.oneof(fc.nat(60_000), fc.nat(longestMs)), { minLength: 1, maxLength: 300 });

const sketchOfTimes = (milliseconds: readonly number[]): Sketch => sketchOf(milliseconds.map(bucketOf).join(' '));

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
      percentilesOf(sketchOfTimes(milliseconds), shares).forEach((estimate, index) => {
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
      addSketch(sum, sketchOfTimes(others));
      expect(sum).toEqual(whole);
      const unpacked: Sketch = new Map();
      addPackedSketch(unpacked, packSketch(sketchOfTimes(some)));
      addPackedSketch(unpacked, packSketch(sketchOfTimes(others)));
      expect(unpacked).toEqual(whole);
    }),
  );
});

test('a sketch of nothing has no percentiles', () => {
  expect(percentilesOf(sketchOf(null), [0.5, 0.95])).toEqual([null, null]);
  expect(percentilesOf(sketchOf(''), [0.5])).toEqual([null]);
  expect(packSketch(new Map())).toBe('');
});

test('large counts are packed whole', () => {
  const sketch: Sketch = new Map([
    [0, 31],
    [1, 32],
    [700, 2 ** 31],
  ]);
  const unpacked: Sketch = new Map();
  addPackedSketch(unpacked, packSketch(sketch));
  expect(unpacked).toEqual(sketch);
});
