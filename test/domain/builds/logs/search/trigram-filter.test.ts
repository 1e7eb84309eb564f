import fc from 'fast-check';
import {
  type RequiredTrigrams,
  requiredTrigrams,
} from '../../../../../src/domain/builds/logs/search/required-trigrams.js';
import { mostOfFoundLine, searchLines } from '../../../../../src/domain/builds/logs/search/search-lines.js';
import { mostFilterBytes, trigramFilter } from '../../../../../src/domain/builds/logs/search/trigram-filter.js';

const has = (filter: Uint8Array, bit: number) => {
  const at = bit & (filter.length * 8 - 1);
  return (((filter[at >> 3] ?? 0) >> (at & 7)) & 1) === 1;
};

function mayMatch(filter: Uint8Array, required: RequiredTrigrams): boolean {
  if ('bits' in required) return required.bits.every((bit) => has(filter, bit));
  return 'all' in required
    ? required.all.every((each) => mayMatch(filter, each))
    : required.any.some((each) => mayMatch(filter, each));
}

const find = (log: string, text: string, isRegexp: boolean) =>
  searchLines(Buffer.from(log), { text, isRegexp }, 10).matches.map((match) => match.text);

/** Whether a filter of the log lets a pattern pass; true where nothing is certain of the pattern. */
function passes(log: string, text: string, isRegexp: boolean): boolean {
  const required = requiredTrigrams({ text, isRegexp });
  return required === null || mayMatch(trigramFilter(Buffer.from(log)).trigrams, required);
}

const line = fc.oneof(
  fc.string({ maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.stringMatching(/^[abΣσςſsKkİıß\u001b\r \u0007[;m1]{0,24}$/u),
  fc.constantFrom(
    '\u001b_bk;t=1700000000000\u0007+++ Step',
    '10 %\r20 %\rdone',
    'a \u001b[31mred\u001b[0m word',
    '\u001b]8;;http://a\u001b',
  ),
);
const logs = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));

describe('filters of the trigrams in a log', () => {
  test('let every text pass that a line has, in any case of its letters', () => {
    fc.assert(
      fc.property(logs, fc.nat(), fc.nat(20), fc.constantFrom('as it is', 'upper', 'lower'), (log, at, size, form) => {
        const shown = searchLines(Buffer.from(log), { text: '', isRegexp: true }, 100).matches;
        const { text: whole = '' } = shown[at % Math.max(1, shown.length)] ?? {};
        const start = at % Math.max(1, whole.length);
        const part = whole.slice(start, start + size);
        const forms = { 'as it is': part, upper: part.toUpperCase(), lower: part.toLowerCase() };
        const text = forms[form];
        if (find(log, text, false).length > 0) expect(passes(log, text, false)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test('let every expression pass that finds a line', () => {
    const atom = fc.oneof(
      fc.stringMatching(/^[a-zA-Z0-9Σςſ ]{1,8}$/u),
      fc.constantFrom('.', '\\d', '[abc]', '(?i:sk)', 'a*', 'b+', 'c?', '(ab){2}', '^', '$', '(?:x|yes|no)', 'Σ'),
    );
    const expression = fc
      .array(fc.array(atom, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
      .map((ways) => ways.map((atoms) => atoms.join('')).join('|'));
    const text = fc.array(fc.oneof(fc.stringMatching(/^[a-zA-Z0-9Σςſ ]{0,8}$/u), fc.constantFrom('abab', 'yes', 'SK')));
    let found = 0;
    fc.assert(
      fc.property(expression, text, fc.boolean(), (pattern, words, takesWords) => {
        const log = takesWords ? words.join('') : `${words.join('\n')}\n${pattern.replace(/[^a-zA-Z0-9Σςſ ]/gu, '')}`;
        if (find(log, pattern, true).length === 0) return;
        found += 1;
        expect(passes(log, pattern, true)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
    expect(found).toBeGreaterThan(100);
  });

  test.each([
    ['a text', 'needle', false, true],
    ['a text of two characters', 'ab', false, false],
    ['an expression with a text', '^error: \\d+ of', true, true],
    ['an expression with a text on each of its ways', 'refused|timed out', true, true],
    ['an expression with a way without one', 'refused|\\d+', true, false],
    ['an expression that ignores case', '(?i)error', true, false],
    ['an expression without a text', '[a-z]+\\d', true, false],
    ['an expression whose text is no ASCII', 'ΑΒΓ', true, false],
    ['an expression with so many ways that they cost more than they tell', words(300), true, false],
  ])('%s', (_what, text, isRegexp, isCertain) => {
    expect(requiredTrigrams({ text, isRegexp }) !== null).toBe(isCertain);
    if (isCertain) expect(passes('something else\nthat has no such word\n', text, isRegexp)).toBe(false);
  });

  test('lines that do not match are wanted of every log', () => {
    expect(requiredTrigrams({ text: 'needle', isRegexp: false, inverts: true })).toBeNull();
  });

  test('a text that lies in two lines is in none, and one that was written over may be', () => {
    expect(passes('nee\ndle\n', 'needle', false)).toBe(false);
    expect(passes(`${'x'.repeat(mostOfFoundLine)}\rneedle\n`, 'needle', false)).toBe(true);
  });

  test('take a thirty-second of the bytes of a log, one KiB of a small one, and 32 KiB at most', () => {
    const random = (bytes: number) =>
      Buffer.from(Array.from({ length: bytes }, (_, at) => 32 + ((Math.imul(at + 7, 0x9e3779b1) >>> 24) % 95)));
    const sizes = [0, 2, 100, 3_000, 20_000, 200_000, 1_048_576, 1_114_112].map(
      (bytes) => trigramFilter(random(bytes)).trigrams.length,
    );
    expect(sizes[0]).toBe(16);
    expect(sizes.slice(2, 4).every((size) => size <= 1024)).toBe(true);
    expect(sizes[4]).toBeLessThanOrEqual(1024);
    expect(sizes.at(-1)).toBeLessThanOrEqual(mostFilterBytes);
    expect(new Set(sizes.map((size) => Math.log2(size) % 1))).toEqual(new Set([0]));
  });

  test('of words that a log lacks, nearly none pass', () => {
    const log = Array.from(
      { length: 9_000 },
      (_, at) => `${at} ok package-${(at * 7919).toString(36)} in ${at % 97} ms`,
    );
    const { trigrams, lines } = trigramFilter(Buffer.from(`${log.join('\n')}\n`));
    expect(lines).toBe(9_000);
    const missing = Array.from({ length: 1_000 }, (_, at) => `QX${(at * 104_729).toString(36)}-JVW`);
    const passed = missing.filter((text) => {
      const required = requiredTrigrams({ text, isRegexp: false });
      return required === null || mayMatch(trigrams, required);
    });
    expect(passed.length).toBeLessThan(20);
  });
});

function words(count: number): string {
  return Array.from({ length: count }, (_, at) => (at * 104_729_317).toString(36)).join('|');
}
