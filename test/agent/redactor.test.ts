import fc from 'fast-check';

import { Redactor, secretValues } from '../../src/agent/redactor.js';

function redact(secrets: string[], chunks: readonly string[]): string {
  const redactor = new Redactor();
  redactor.add(secrets);
  const out = chunks.map((chunk) => redactor.push(Buffer.from(chunk)));
  return Buffer.concat([...out, redactor.flush()]).toString();
}

test.each([
  ['plain', ['secret'], ['a secret here'], 'a [REDACTED] here'],
  ['across a border', ['secret'], ['a sec', 'ret here'], 'a [REDACTED] here'],
  ['byte by byte', ['secret'], [...'a secret'], 'a [REDACTED]'],
  ['only begun', ['secret'], ['a sec', 'ond'], 'a second'],
  ['begun at the end', ['secret'], ['a secre'], 'a secre'],
  ['begun anew', ['aab'], ['aa', 'ab'], 'a[REDACTED]'],
  ['one inside another', ['secret', 'my-secret-key'], ['my-secret-key my-secret-ke'], '[REDACTED] my-[REDACTED]-ke'],
  ['one the start of another', ['secret', 'secret-longer'], ['secret', '-longer secret'], '[REDACTED] [REDACTED]'],
  ['overlapping ones leave no rest', ['abcdef', 'defghi'], ['abcd', 'efg', 'hi'], '[REDACTED]'],
  ['twice in a row', ['secret'], ['secretsecret'], '[REDACTED][REDACTED]'],
  ['repeating without end', ['aaaaaa'], Array<string>(50).fill('aaaa'), '[REDACTED]'],
  ['over lines', ['line1\nline2'], ['line1\n', 'line2\n'], '[REDACTED]\n'],
  ['none', [], ['as it is'], 'as it is'],
])('%s', (_, secrets, chunks, expected) => {
  expect(redact(secrets, chunks)).toBe(expected);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 2, maxLength: 5 });

test('how the stream is cut does not matter, and no secret comes through', () => {
  fc.assert(fc.property(fc.array(word, { maxLength: 3 }), fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '.') }), { maxLength: 8 }), (secrets, chunks) => {
    const inOnePiece = redact(secrets, [chunks.join('')]);
    expect(redact(secrets, chunks)).toBe(inOnePiece);
    for (const secret of secrets) expect(inOnePiece).not.toContain(secret);
  }));
});

test('values of secret-like names are secret, unless too short to tell from text', () => {
  expect(secretValues({
    DB_PASSWORD: 'long-enough', API_TOKEN: 'short', MY_SSH_KEY: 'ssh-key-value', PATH: '/usr/bin:/bin', TOKENIZER: 'not-a-secret', GH_TOKEN: undefined,
  })).toEqual(['long-enough', 'ssh-key-value']);
});
