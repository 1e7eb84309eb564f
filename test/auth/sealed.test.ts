import fc from 'fast-check';
import { createCipheriv, hkdfSync } from 'node:crypto';
import { jobToken, readJobToken } from '../../src/auth/job-token.js';
import { seal, unseal, unsealOwn } from '../../src/auth/sealed.js';
import { keyId, type SecretKeys } from '../../src/auth/secret-keys.js';
import { isSignedBy, sign } from '../../src/auth/secrets.js';

const key: SecretKeys = { current: 'a secret key that is long enough', previous: null };
const otherKeys: SecretKeys = { current: 'another key that is as long as it', previous: null };

test('a sealed value opens only with the key, the purpose and the place it was sealed for', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = seal(key, 'purpose', text, 'row');
      expect(unseal(key, 'purpose', sealed, 'row')).toBe(text);
      expect(unsealOwn(key, 'purpose', sealed, 'row')).toBe(text);
      for (const [otherKey, purpose, place] of [
        [otherKeys, 'purpose', 'row'],
        [key, 'other', 'row'],
        [key, 'purpose', 'other'],
        [key, 'purpose', ''],
      ] as const) {
        expect(unseal(otherKey, purpose, sealed, place)).toBeNull();
        expect(() => unsealOwn(otherKey, purpose, sealed, place)).toThrow('does not open');
      }
    }),
    { numRuns: 50 },
  );
});

test('sealing a text twice gives different values, and a changed byte prevents opening', () => {
  const [one, other] = [seal(key, 'p', 'text'), seal(key, 'p', 'text')];
  expect(one).not.toBe(other);
  const head = one.slice(0, one.lastIndexOf('.') + 1);
  const body = Buffer.from(one.slice(head.length), 'base64url');
  for (let index = 0; index < body.length; index += 1) {
    const changed = Buffer.from(body);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(unseal(key, 'p', head + changed.toString('base64url'))).toBeNull();
  }
  for (const broken of ['', 'v1', 'v1.', one.replace('v2', 'v1'), one.replace('v2', 'v3'), one.slice(0, 20)])
    expect(unseal(key, 'p', broken)).toBeNull();
});

describe('values sealed while one secret key replaces another', () => {
  const both: SecretKeys = { current: otherKeys.current, previous: key.current };

  test('values sealed with either key open, and new values name the current key', () => {
    expect(unseal(both, 'p', seal(key, 'p', 'old'))).toBe('old');
    expect(seal(both, 'p', 'new').startsWith(`v2.${keyId(otherKeys.current)}.`)).toBe(true);
    expect([unseal(otherKeys, 'p', seal(both, 'p', 'new')), unseal(key, 'p', seal(both, 'p', 'new'))]).toEqual([
      'new',
      null,
    ]);
  });

  test('values from releases that recorded no key id open with either key', () => {
    const nonce = Buffer.alloc(12, 7);
    const cipher = createCipheriv(
      'aes-256-gcm',
      Buffer.from(hkdfSync('sha256', key.current, '', 'slipway sealed p', 32)),
      nonce,
    ).setAAD(Buffer.from('row'));
    const former = `v1.${Buffer.concat([nonce, cipher.update('text', 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')}`;
    expect([
      unseal(key, 'p', former, 'row'),
      unseal(both, 'p', former, 'row'),
      unseal(otherKeys, 'p', former, 'row'),
    ]).toEqual(['text', 'text', null]);
  });

  test('job tokens and URLs signed with either key are accepted', () => {
    const token = jobToken(key, '0190a5c6-0000-7000-8000-000000000000', 3);
    expect([readJobToken(both, token)?.attempt, readJobToken(otherKeys, token)]).toEqual([3, null]);
    const signature = sign(key, 'artifact-download', 'x');
    expect([
      isSignedBy(both, signature, 'artifact-download', 'x'),
      isSignedBy(otherKeys, signature, 'artifact-download', 'x'),
      isSignedBy(both, signature, 'other', 'x'),
    ]).toEqual([true, false, false]);
  });

  test('the id of a key distinguishes keys and reveals nothing about the key', () => {
    expect(keyId(key.current)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyId(key.current)).not.toBe(keyId(otherKeys.current));
  });
});
