import { describe, expect, test } from 'vitest';
import {
  highestOf,
  labeledPlaces,
  placeAfter,
  placeAt,
  scalesOf,
  type Series,
} from '../../../src/console/ui/charts/chart-scales.js';

const size = { width: 400, height: 190 };

describe('where things are in a chart', () => {
  test.each([
    ['seconds', 0.2, [0, 1]],
    ['seconds', 50, [0, 15, 30, 45, 60]],
    ['seconds', 900, [0, 300, 600, 900]],
    ['seconds', 30_000, [0, 10_800, 21_600, 32_400]],
    ['count', 0, [0, 1]],
    ['count', 2, [0, 1, 2]],
    ['count', 37, [0, 10, 20, 30, 40]],
  ] as const)('%s up to %d are named at %j', (unit, highest, ticks) =>
    expect(scalesOf(8, highest, unit, size).ticks).toEqual(ticks),
  );

  test('nothing is at the bottom, and the highest value inside', () => {
    const { y } = scalesOf(8, 37, 'seconds', size);
    expect(y(0)).toBe(166);
    expect(y(37)).toBeGreaterThanOrEqual(8);
    expect(y(37)).toBeLessThan(y(36));
  });

  test('each place is found under its own middle, and the nearest beside all', () => {
    const { x } = scalesOf(31, 1, 'count', size);
    const middles = x.domain().map((place) => (x(place) ?? 0) + x.bandwidth() / 2);
    expect(middles.map((middle) => placeAt(x, middle))).toEqual(x.domain());
    expect([placeAt(x, -5), placeAt(x, 5_000)]).toEqual([0, 30]);
  });

  test.each([
    ['ArrowLeft', 0, 0],
    ['ArrowLeft', 3, 2],
    ['ArrowRight', 7, 7],
    ['ArrowUp', 3, 4],
    ['Home', 3, 0],
    ['End', 3, 7],
    ['Tab', 3, null],
  ] as const)('%s leads from %i of eight to %j', (key, place, to) => expect(placeAfter(key, place, 8)).toBe(to));

  test('labels have room, the last place first', () => {
    expect(labeledPlaces(8, 800)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(labeledPlaces(8, 260)).toEqual([1, 4, 7]);
    expect(labeledPlaces(169, 10)).toEqual([168]);
  });

  test('the highest of lines is a value, of bars a sum', () => {
    const series: Series[] = [
      { name: 'one', look: 'quiet', values: [1, null, 3] },
      { name: 'other', look: 'failed', values: [4, null, 1] },
    ];
    expect([highestOf(series, false), highestOf(series, true)]).toEqual([4, 5]);
  });
});
