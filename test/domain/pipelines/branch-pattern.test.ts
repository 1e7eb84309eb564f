import fc from 'fast-check';
import {
  branchPatternProblem,
  likePattern,
  matchesBranch,
  matchesWildcard,
} from '../../../src/domain/pipelines/branch-pattern.js';
import { vectorExceptions } from '../../conformance/vector-exceptions.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../support/vectors.js';

interface Case {
  id: string;
  pattern: string | null;
  branch: string | null;
  match: boolean;
}

describeWithVectors('the branch filter vectors', () => {
  const { cases } = vectorsPresent
    ? readVectors<{ cases: Case[] }>('branch-filters/branch-filters.json')
    : { cases: [] };
  test.each(cases.filter(({ id }) => !(id in vectorExceptions)))(
    'vector $id: the pattern $pattern matches the branch $branch ($match)',
    ({ pattern, branch, match }) => {
      expect(matchesBranch(pattern, branch)).toBe(match);
    },
  );
});

test.each<[string, string, boolean]>([
  ['*dev*', 'my-dev-branch', true],
  ['*dev*', 'dev', true],
  ['*dev*', 'de-v', false],
  ['a*a', 'a', false],
  ['a*a', 'aa', true],
  ['a*b*a', 'aba', true],
  ['a*ba*ba', 'aba', false],
  ['*', '', true],
  ['**', 'x', true],
  ['', '', true],
  ['', 'x', false],
  ['Main', 'main', false],
  ['v1.*', 'v1x', false],
  ['a?c', 'abc', false],
  ['[ab]', 'a', false],
  ['*ab*abc', 'ababc', true],
  ['a*', '', false],
])('the wildcard %j matches the text %j: %s', (pattern, text, expected) =>
  expect(matchesWildcard(pattern, text)).toBe(expected),
);

test.each<[string, string, boolean]>([
  ['main', 'user:main', false],
  ['main\tdev\nnext', 'dev', true],
  ['!main', 'main', false],
  ['!', 'anything', true],
  ['a !a', 'a', false],
])('the branch patterns %j match the branch %j: %s', (patterns, branch, expected) =>
  expect(matchesBranch(patterns, branch)).toBe(expected),
);

const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => !/[\s*!]/.test(text));

test('a pattern without star and exclamation mark is an exact match', () => {
  fc.assert(
    fc.property(word, word, (pattern, branch) => {
      expect(matchesBranch(pattern, pattern)).toBe(true);
      expect(matchesBranch(pattern, branch)).toBe(pattern === branch);
    }),
  );
});

test('a wildcard matches as its regular expression and as its LIKE pattern', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '%', '_', '\\'), maxLength: 10 });
  const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const fromLike = (like: string): string =>
    like.replace(/\\[^]|[^]/g, (part) => {
      if (part === '%') return '[^]*';
      return part === '_' ? '[^]' : escaped(part.length === 2 ? part.slice(1) : part);
    });
  fc.assert(
    fc.property(letters, letters, (pattern, text) => {
      const expected = new RegExp(`^${pattern.split('*').map(escaped).join('[^]*')}$`).test(text);
      expect(matchesWildcard(pattern, text)).toBe(expected);
      expect(new RegExp(`^${fromLike(likePattern(pattern))}$`).test(text)).toBe(expected);
    }),
    { numRuns: 1_000 },
  );
});

test.each([
  ['*dev*', '%dev%'],
  ['100%_a\\b', '100\\%\\_a\\\\b'],
  ['a**b', 'a%b'],
  ['', ''],
])('the LIKE pattern of the wildcard %j is %j', (wildcard, like) => {
  expect(likePattern(wildcard)).toBe(like);
});

test('matching a wildcard with many stars takes linear time', () => {
  expect(matchesWildcard(`${'a*'.repeat(500)}b`, 'a'.repeat(50_000))).toBe(false);
});

test.each<[string, RegExp | null]>([
  ['main !feature/*', null],
  ['', null],
  ['  ', null],
  ['main !', /negates nothing/],
  ['a'.repeat(4097), /longer/],
  ['a\u0000', /control/],
])('the branch patterns %j are accepted or refused with a reason', (patterns, problem) => {
  if (problem) expect(branchPatternProblem(patterns)).toMatch(problem);
});
