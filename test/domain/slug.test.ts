import fc from 'fast-check';
import { slugFromName, slugProblem } from '../../src/domain/slug.js';

test.each<[string, string | null]>([
  ['My Pipeline', 'my-pipeline'],
  ['a   b', 'a-b'],
  ['App - API', 'app---api'],
  ['UPPER', 'upper'],
  ['already-a-slug', 'already-a-slug'],
  ['Café Ünïcode', 'cafe-unicode'],
  [':package: App', 'package-app'],
  ['a/b_c.d', 'a-b-c-d'],
  ['🚀 Deploy', 'deploy'],
  ['  padded  ', 'padded'],
  ['-dash', 'dash'],
  ['dash-', 'dash-'],
  ['ﬁne', 'fine'],
  ['İstanbul', 'istanbul'],
  ['🚀', null],
  ['日本', null],
  ['', null],
  ['---', null],
  ['42', '42'],
])('the slug of %j is %j', (name, slug) => expect(slugFromName(name)).toBe(slug));

test('a long name is cut so that its slug does not end in a hyphen', () => {
  expect(slugFromName('x'.repeat(200))).toBe('x'.repeat(100));
  expect(slugFromName(`${'x'.repeat(99)} yyy`)).toBe('x'.repeat(99));
});

test.each<[string, boolean]>([
  ['a', true],
  ['A1-', true],
  ['a--b', true],
  ['x'.repeat(100), true],
  ['', false],
  ['-a', false],
  ['a_b', false],
  ['a b', false],
  ['x'.repeat(101), false],
  ['ä', false],
  ['a\n', false],
  ['a/b', false],
])('the slug %j is valid: %s', (slug, fine) => expect(slugProblem(slug) === null).toBe(fine));

test('a derived slug is valid, and deriving a slug from it gives the same slug', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 150 }),
    fc.string({ unit: fc.constantFrom('a', 'Z', '0', ' ', '-', '_', 'é', '🚀'), maxLength: 150 }),
  );
  fc.assert(
    fc.property(name, (text) => {
      const slug = slugFromName(text);
      if (slug === null) return;
      expect(slugProblem(slug)).toBeNull();
      expect(slugFromName(slug)).toBe(slug);
    }),
    { numRuns: 1_000 },
  );
});

test('the slug of a name of letters, digits and spaces is its lower-case words joined by hyphens', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 ]{0,60}[A-Za-z0-9]$/), (name) => {
      expect(slugFromName(name)).toBe(name.replace(/ +/g, '-').toLowerCase());
    }),
  );
});
