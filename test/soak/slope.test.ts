import { median, slopeOf } from './slope.js';

test('the slope of points on a line is that of the line, without an error', () => {
  expect(slopeOf([0, 1, 2, 5].map((x) => ({ x, y: 3 * x + 7 })))).toEqual({ perUnit: 3, standardError: 0 });
});

test('points that scatter evenly around a level have no slope beyond their error', () => {
  const slope = slopeOf([1, -1, -1, 1].map((y, x) => ({ x, y })));
  expect(slope?.perUnit).toBe(0);
  expect(slope?.standardError).toBeCloseTo(Math.sqrt(4 / 2 / 5));
});

test('two points, or points above each other, have no slope', () => {
  expect(
    slopeOf([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
    ]),
  ).toBeNull();
  expect(slopeOf([1, 2, 3].map((y) => ({ x: 4, y })))).toBeNull();
});

test('the median is the middle, or lies between the two middle values', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3])]).toEqual([2, 2.5]);
});
