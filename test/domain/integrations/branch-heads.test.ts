import fc from 'fast-check';
import { compareHeads, rememberedHeads } from '../../../src/domain/integrations/branch-heads.js';

const none = new Set<string>();

test('the first look at the branches reports nothing missed', () =>
  expect(compareHeads(null, {}, { main: 'a' }, none)).toEqual({ awaited: {}, missed: [] }));

test('a new head is awaited for one look and then reported missed, unless a delivery announced it', () => {
  expect(compareHeads({ main: 'a' }, {}, { main: 'b', fresh: 'c', told: 'd' }, new Set(['d']))).toEqual({
    awaited: { main: 'b', fresh: 'c' },
    missed: [],
  });
  expect(compareHeads({ main: 'a' }, { main: 'b', fresh: 'c' }, { main: 'b', fresh: 'e' }, none)).toEqual({
    awaited: { fresh: 'e' },
    missed: [{ branch: 'main', commit: 'b', before: 'a' }],
  });
});

test('an awaited branch is remembered with its previous head', () => {
  expect(
    rememberedHeads({ main: 'a', gone: 'x' }, { main: 'b', fresh: 'c' }, { main: 'b', fresh: 'c', told: 'd' }),
  ).toEqual({ main: 'a', told: 'd' });
});

test('every lasting change of a head between two looks is reported missed exactly once', () => {
  const heads = fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('1', '2', '3'));
  fc.assert(
    fc.property(heads, heads, (first, second) => {
      let [known, awaited] = [rememberedHeads(null, {}, first), {}];
      const missed: string[] = [];
      for (let look = 0; look < 4; look += 1) {
        const result = compareHeads(known, awaited, second, none);
        missed.push(...result.missed.map(({ branch }) => branch));
        known = rememberedHeads(known, result.awaited, second);
        awaited = result.awaited;
      }
      expect(missed.sort()).toEqual(
        Object.keys(second)
          .filter((branch) => first[branch] !== second[branch])
          .sort(),
      );
    }),
  );
});
