import fc from 'fast-check';

import { Redactor, secretVariables } from '../../src/agent/job/redactor.js';

function redact(secrets: string[], chunks: readonly string[]): string {
  const redactor = new Redactor();
  redactor.add(secrets);
  const out = chunks.map((chunk) => redactor.push(Buffer.from(chunk)));
  return Buffer.concat([...out, redactor.flush()]).toString();
}

test.each([
  ['a secret in one chunk', ['secret'], ['a secret here'], 'a [REDACTED] here'],
  ['a secret across two chunks', ['secret'], ['a sec', 'ret here'], 'a [REDACTED] here'],
  ['a secret byte by byte', ['secret'], [...'a secret'], 'a [REDACTED]'],
  ['only the start of a secret', ['secret'], ['a sec', 'ond'], 'a second'],
  ['the start of a secret at the end of the stream', ['secret'], ['a secre'], 'a secre'],
  ['a start of a secret before the secret', ['aab'], ['aa', 'ab'], 'a[REDACTED]'],
  [
    'a secret inside another',
    ['secret', 'my-secret-key'],
    ['my-secret-key my-secret-ke'],
    '[REDACTED] my-[REDACTED]-ke',
  ],
  [
    'a secret that is the start of another',
    ['secret', 'secret-longer'],
    ['secret', '-longer secret'],
    '[REDACTED] [REDACTED]',
  ],
  ['secrets that overlap', ['abcdef', 'defghi'], ['abcd', 'efg', 'hi'], '[REDACTED]'],
  ['a secret twice in a row', ['secret'], ['secretsecret'], '[REDACTED][REDACTED]'],
  ['a secret repeated many times', ['aaaaaa'], Array<string>(50).fill('aaaa'), '[REDACTED]'],
  ['a secret over two lines', ['line1\nline2'], ['line1\n', 'line2\n'], '[REDACTED]\n'],
  ['no secrets', [], ['as it is'], 'as it is'],
])('the redactor replaces exactly the secrets in a stream (%s)', (_, secrets, chunks, expected) => {
  expect(redact(secrets, chunks)).toBe(expected);
});

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 2, maxLength: 5 });

test('the redacted output contains no secret and does not depend on how the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 3 }),
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '.') }), { maxLength: 8 }),
      (secrets, chunks) => {
        const inOnePiece = redact(secrets, [chunks.join('')]);
        expect(redact(secrets, chunks)).toBe(inOnePiece);
        for (const secret of secrets) expect(inOnePiece).not.toContain(secret);
      },
    ),
  );
});

test('values of secret-like variables are redacted unless they are too short to differ from ordinary text', () => {
  expect(
    secretVariables({
      DB_PASSWORD: 'long-enough',
      API_TOKEN: 'short',
      MY_SSH_KEY: 'ssh-key-value',
      PATH: '/usr/bin:/bin',
      TOKENIZER: 'not-a-secret',
      GH_TOKEN: undefined,
    }).map(({ value }) => value),
  ).toEqual(['long-enough', 'ssh-key-value']);
  expect(
    secretVariables({ DB_PASSWORD: 'long-enough', 'OUR.KEY_1': 'ours-too', OURXKEY_1: 'not-this' }, ['OUR.*']),
  ).toEqual([{ name: 'OUR.KEY_1', value: 'ours-too' }]);
});
