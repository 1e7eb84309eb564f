import fc from 'fast-check';
import { decrypt, encrypt } from '../../src/auth/encryption.js';

const key = 'a secret key that is long enough';

test('what was encrypted opens with the same key, purpose and place, and nowhere else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = encrypt(key, 'purpose', 'row', text);
      expect(decrypt(key, 'purpose', 'row', sealed)).toBe(text);
      for (const [otherKey, purpose, place] of [['another key', 'purpose', 'row'], [key, 'other', 'row'], [key, 'purpose', 'other']] as const) expect(() => decrypt(otherKey, purpose, place, sealed)).toThrow();
    }),
    { numRuns: 50 },
  );
});

test('the same text is never sealed alike, and a changed byte does not open', () => {
  const [one, other] = [encrypt(key, 'p', 'r', 'text'), encrypt(key, 'p', 'r', 'text')];
  expect(one).not.toBe(other);
  const parts = one.split('.');
  for (const index of [1, 2, 3]) {
    const bytes = Buffer.from(parts[index] ?? '', 'base64url');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(() => decrypt(key, 'p', 'r', parts.with(index, bytes.toString('base64url')).join('.'))).toThrow();
  }
  for (const broken of ['', 'v1', 'v2.a.b.c', `${parts[0]}.${parts[1]}.${parts[2]?.slice(0, 6)}.${parts[3]}`]) expect(() => decrypt(key, 'p', 'r', broken)).toThrow();
});
