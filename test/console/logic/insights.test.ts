import { describe, expect, test } from 'vitest';
import {
  beginningOf,
  costText,
  daysOf,
  filtersSet,
  groupOf,
  isOfOthers,
  narrowedTo,
  percentText,
  secondsText,
  timeOf,
  timeWords,
  without,
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
    ['365', 365],
  ])('?days=%s is %i', (word, days) => expect(daysOf(word)).toBe(days));

  test('the time begins on a whole day, that of one day on a whole hour', () => {
    const now = Date.parse('2026-01-12T03:04:05.678Z');
    expect(beginningOf(7, now)).toBe('2026-01-05T00:00:00.000Z');
    expect(beginningOf(1, now)).toBe('2026-01-11T03:00:00.000Z');
    expect([timeOf(7), timeOf(1)]).toEqual(['DAY', 'HOUR']);
  });

  test.each([
    ['2026-01-31', 'Jan 31', 'Saturday, January 31, 2026'],
    ['2026-01-31T00:00:00Z', '00:00', 'Jan 31, 00:00 UTC'],
  ])('%s is %s', (key, short, long) => expect(timeWords(key)).toEqual({ short, long }));

  test('a row leads to its figures, and to what is inside', () => {
    expect(narrowedTo('PIPELINE', 'cart')).toEqual({ pipeline: 'cart', by: 'step' });
    expect(narrowedTo('QUEUE', 'default')).toEqual({ queue: 'default', by: undefined });
    expect(filtersSet({ queue: 'default', pipeline: 'cart' })).toEqual([
      ['PIPELINE', 'cart'],
      ['QUEUE', 'default'],
    ]);
    expect(without('STEP')).toEqual({ step: undefined });
  });

  test.each([
    [null, '–'],
    [0.4, '0s'],
    [75, '1m 15s'],
  ])('%s seconds are %s', (seconds, text) => expect(secondsText(seconds)).toBe(text));

  test.each([
    [undefined, '–'],
    [0, '0.00'],
    [0.0153, '0.0153'],
    [1234.5678, '1,234.57'],
  ])('a cost of %s is %s', (cost, text) => expect(costText(cost)).toBe(text));

  test.each([
    ['BRANCH', '*', true],
    ['BRANCH', 'main', false],
    ['STEP', 'cart/*', true],
    ['STEP', 'cart/test', false],
    ['PIPELINE', '*', false],
  ] as const)('by %s, %s are those that have no figures of their own: %s', (group, key, others) =>
    expect(isOfOthers(group, key)).toBe(others),
  );

  test.each([
    [1, 3, '33 %'],
    [0, 0, '–'],
  ])('%i of %i are %s', (part, whole, text) => expect(percentText(part, whole)).toBe(text));
});
