import { describe, expect, test } from 'vitest';
import {
  beginningOf,
  daysOf,
  groupOf,
  percentText,
  secondsText,
} from '../../../src/console/pages/insights/insight-figures.js';

describe('figures of many builds in the console', () => {
  test.each([
    [undefined, 'PIPELINE'],
    ['step', 'STEP'],
    ['nonsense', 'PIPELINE'],
  ])('?by=%s is %s', (word, group) => expect(groupOf(word)).toBe(group));

  test.each([
    [undefined, 7],
    ['30', 30],
    ['8', 7],
  ])('?days=%s is %i', (word, days) => expect(daysOf(word)).toBe(days));

  test('the time begins on a whole minute', () =>
    expect(beginningOf(1, Date.parse('2026-01-02T03:04:05.678Z'))).toBe('2026-01-01T03:04:00.000Z'));

  test.each([
    [null, '–'],
    [0.4, '0s'],
    [75, '1m 15s'],
  ])('%s seconds are %s', (seconds, text) => expect(secondsText(seconds)).toBe(text));

  test.each([
    [1, 3, '33 %'],
    [0, 0, '–'],
  ])('%i of %i are %s', (part, whole, text) => expect(percentText(part, whole)).toBe(text));
});
