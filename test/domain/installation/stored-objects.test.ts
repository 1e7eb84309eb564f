import { roundsAMinute } from '../../../src/domain/installation/stored-objects.js';

test.each([
  [0, 1],
  [720_000, 1],
  [720_001, 2],
  [5_000_000, 7],
  [14_400_000, 20],
  [1e12, 20],
])('a storage of %d objects has %d rounds a minute', (objects, rounds) => {
  expect(roundsAMinute(objects)).toBe(rounds);
});
