import fc from 'fast-check';
import { seal, unseal, unsealOwn } from '../../src/auth/sealed.js';

const key = 'a secret key that is long enough';

test('what was sealed opens with the same key, purpose and place, and nowhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = seal(key, 'purpose', text, 'row');
      expect(unseal(key, 'purpose', sealed, 'row')).toBe(text);
      expect(unsealOwn(key, 'purpose', sealed, 'row')).toBe(text);
      for (const [otherKey, purpose, place] of [['another key', 'purpose', 'row'], [key, 'other', 'row'], [key, 'purpose', 'other'], [key, 'purpose', '']] as const) {
        expect(unseal(otherKey, purpose, sealed, place)).toBeNull();
        expect(() => unsealOwn(otherKey, purpose, sealed, place)).toThrow('does not open');
      }
    }),
    { numRuns: 50 },
  );
});

test('the same text is never sealed alike, and a changed byte does not open', () => {
  const [one, other] = [seal(key, 'p', 'text'), seal(key, 'p', 'text')];
  expect(one).not.toBe(other);
  const body = Buffer.from(one.slice(3), 'base64url');
  for (let index = 0; index < body.length; index += 1) {
    const changed = Buffer.from(body);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(unseal(key, 'p', `v1.${changed.toString('base64url')}`)).toBeNull();
  }
  for (const broken of ['', 'v1', 'v1.', one.replace('v1', 'v2'), one.slice(0, 20)]) expect(unseal(key, 'p', broken)).toBeNull();
});
