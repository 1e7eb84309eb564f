import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvOf } from '../../../src/console/ui/download.js';
import { nextSorting, sorted, sortingOf } from '../../../src/console/ui/sorting.js';

describe('a table that is sorted', () => {
  test.each([
    [undefined, null],
    ['nonsense', null],
    ['wait', { key: 'wait', descending: false }],
    ['-wait', { key: 'wait', descending: true }],
  ])('by ?sort=%s', (word, sorting) => expect(sortingOf(word, ['wait'])).toEqual(sorting));

  test('goes from the largest on, then from the smallest, then as it was', () => {
    const words = ['-wait', 'wait', undefined];
    expect(words.map((_, index) => nextSorting(sortingOf(words[index - 1], ['wait']), 'wait'))).toEqual(words);
  });

  test('has every item once, those without a value last, whichever way', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer())), fc.boolean(), (values, descending) => {
        const result = sorted(values, (value) => value, descending);
        expect([...result].toSorted()).toEqual([...values].toSorted());
        const numbers = result.filter((value) => value !== null);
        expect(result.slice(0, numbers.length)).toEqual(numbers);
        expect(numbers).toEqual(numbers.toSorted((one, other) => (descending ? other - one : one - other)));
      }),
    );
  });
});

describe('a table as CSV', () => {
  test('quotes what must be, and is no formula', async () => {
    expect(
      await csvOf([
        { step: '=HYPERLINK("x")', builds: 3, wait: null },
        { step: 'a,"b"\nc', builds: 4, wait: 1.5 },
      ]),
    ).toBe(`step,builds,wait\n"'=HYPERLINK(""x"")",3,\n"a,""b""\nc",4,1.5`);
  });
});
