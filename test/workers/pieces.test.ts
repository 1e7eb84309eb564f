import fc from 'fast-check';
import { expect, it } from 'vitest';
import { inPieces, joinPieces } from '../../src/workers/pieces.js';

it('an output whose list was copied in pieces is the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.string(), fc.integer(), fc.record({ name: fc.string() }))),
      async (results) => {
        const output = { ok: true, results };
        expect(await joinPieces(inPieces(output, 'results'))).toEqual(output);
      },
    ),
  );
});

it('an output without its list is copied as it is', async () => {
  const output = { ok: false, problem: 'is not XML' };
  expect(await joinPieces(inPieces(output, 'results'))).toEqual(output);
});

it('no piece of a list of large items is larger than a few of them', () => {
  const results = Array.from({ length: 4_000 }, (_, index) => ({ name: `test ${index}`, reason: 'x'.repeat(7_500) }));
  const { pieces } = inPieces({ results }, 'results');
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(512 * 1024);
});
