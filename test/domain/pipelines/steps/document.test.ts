import { readDocument } from '../../../../src/domain/pipelines/steps/document.js';
import type { Json } from '../../../../src/domain/pipelines/steps/step.js';

function read(text: string): Json {
  const result = readDocument(text);
  if (!result.ok) throw new Error(result.problems[0]?.message);
  return result.document;
}

function refusal(text: string): string {
  const result = readDocument(text);
  return result.ok ? 'accepted' : (result.problems[0]?.message ?? '');
}

describe('readDocument', () => {
  test.each<[string, string, Json]>([
    [
      'yes, no and on are texts, not booleans',
      'a: yes\nb: on\nc: n\nd: true\ne: ~',
      { a: 'yes', b: 'on', c: 'n', d: true, e: null },
    ],
    ['dates are text', 'a: 2002-08-15T17:18:23.18-06:00', { a: '2002-08-15T17:18:23.18-06:00' }],
    ['keys are text', '1: a\ntrue: b\n1.10: c', { '1': 'a', true: 'b', '1.10': 'c' }],
    [
      'numbers keep their digits',
      'a: 1.5\nb: 032379705303\nc: 12345678901234567890',
      { a: 1.5, b: 32379705303, c: '12345678901234567890' },
    ],
    [
      'own keys win over merged ones',
      'x: &x {a: 1, b: 1}\ny: {<<: *x, b: 2}',
      { x: { a: 1, b: 1 }, y: { a: 1, b: 2 } },
    ],
    ['own keys win wherever the merge stands', 'x: &x {a: 1}\ny: {a: 2, <<: *x}', { x: { a: 1 }, y: { a: 2 } }],
    [
      'the first of merged maps wins',
      'x: &x {a: 1}\nz: &z {a: 2, b: 2}\ny: {<<: [*x, *z]}',
      { x: { a: 1 }, z: { a: 2, b: 2 }, y: { a: 1, b: 2 } },
    ],
    [
      'several merges into one map',
      'x: &x {a: 1}\nz: &z {b: 2}\ny: {<<: *x, <<: *z}',
      { x: { a: 1 }, z: { b: 2 }, y: { a: 1, b: 2 } },
    ],
    ['one key in several maps', '- a: 1\n- a: 2', [{ a: 1 }, { a: 2 }]],
    ['JSON with tabs', '{\n\t"a": [1, "b"]\n}', { a: [1, 'b'] }],
    ['almost JSON', '[a, {b: c}]', ['a', { b: 'c' }]],
    ['a comment only', '# only a comment', null],
    ['an unknown tag', 'a: !secret b', { a: 'b' }],
  ])('a document is read as expected: %s', (_story, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test.each([
    ['at the top', 'a: 1\nb: 2\na: 3', '"a" is repeated at line 3, column 1'],
    ['in a step', 'steps:\n- command: a\n  label: x\n  command: b', '"command" is repeated at line 4, column 3'],
    ['in quotes', '{a: 1, "a": 2}', '"a" is repeated at line 1, column 8'],
    ['in JSON', '{"a": {"b": 1, "c": [], "b": 2}}', '"b" is repeated at line 1, column 25'],
    ['in JSON, written with an escape', '{"a": 1, "\\u0061": 2}', '"a" is repeated at line 1, column 10'],
    ['a number as a text', '1: a\n"1": b', '"1" is repeated at line 2, column 1'],
  ])('a repeated key %s is refused with its line and column', (_where, text, message) => {
    expect(readDocument(text)).toEqual({
      ok: false,
      problems: [{ path: '', message: expect.stringContaining(message) }],
    });
  });

  test('JSON whose strings hold colons and quotes is read as it is written', () => {
    const value = { 'a": "b': 'x": "y', c: ['"d":', { 'e\\': '\\":', f: 'x'.repeat(500_000) }] };
    expect(read(JSON.stringify(value))).toEqual(value);
    expect(read(JSON.stringify(value, null, 2))).toEqual(value);
  });

  test('a key named like a built-in property is read like any other key', () => {
    expect(Object.keys(read('__proto__: {a: 1}\nconstructor: 1') as object)).toEqual(['__proto__', 'constructor']);
  });

  test.each([
    ['a tab that indents', 'a:\n\tb: c', /not valid YAML: .* at line \d+/],
    ['a map as a key', 'a: {{b}: c}', /not valid YAML/],
    ['an alias to nothing', 'a: *b', /not valid YAML/],
    ['an alias inside its own value', 'a: &a [*a]', /alias inside the value/],
    ['an alias inside its own merge', 'a: &a {<<: *a}', /alias inside the value/],
    ['a merge of text', 'a: &a x\nb: {<<: *a}', /not valid YAML: Merge sources/],
    ['too much text', `a: ${'x'.repeat(1024 * 1024)}`, /larger than 1048576 bytes/],
    ['too deep a list', `${'['.repeat(200)}${']'.repeat(200)}`, /deep/],
    ['far too deep a list', '['.repeat(500_000), /deep/],
    ['far too many nested list items', '- '.repeat(500_000), /deep/],
    ['far too many keys', '{a: '.repeat(200_000), /deep/],
    ['far too many complex keys', '? '.repeat(500_000), /deep/],
    [
      'depth by aliases',
      Array.from({ length: 2_000 }, (_none, level) => `x: &a${level + 1} [${level === 0 ? '' : `*a${level}`}]`).join(
        '\n',
      ),
      /deep/,
    ],
    ['far too deep JSON', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, /deep/],
    ['too many small values', `[${'a,'.repeat(200_000)}]`, /more than 200000 YAML tokens/],
    ['many aliases', `a: &a 1\nb: [${'*a ,'.repeat(11_000)}]`, /more than 10000 anchors and aliases/],
  ])('a document with %s is refused', (_story, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('an alias bomb is refused before it is expanded', () => {
    const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
    for (let level = 1; level < 20; level += 1)
      lines.push(
        `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(', ')}]`,
      );
    expect(refusal(lines.join('\n'))).toMatch(/grows over 2097152 bytes/);
    expect(refusal(`a: &a {${'k'.repeat(100_000)}: 1}\nb: [${'{<<: *a},'.repeat(5_000)}]`)).toMatch(/grows over/);
  });

  test('a document may use hundreds of aliases of one value', () => {
    expect(read(`a: &a 1\nb: [${'*a ,'.repeat(900)}]`)).toEqual({ a: 1, b: Array(900).fill(1) });
  });
});
