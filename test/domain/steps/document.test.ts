import { readDocument } from '../../../src/domain/steps/document.js';
import type { Json } from '../../../src/domain/steps/step.js';

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
    ['words of old YAML are words', 'a: yes\nb: on\nc: n\nd: true\ne: ~', { a: 'yes', b: 'on', c: 'n', d: true, e: null }],
    ['dates are text', 'a: 2002-08-15T17:18:23.18-06:00', { a: '2002-08-15T17:18:23.18-06:00' }],
    ['keys are text', '1: a\ntrue: b\n1.10: c', { '1': 'a', true: 'b', '1.10': 'c' }],
    ['numbers keep their digits', 'a: 1.5\nb: 032379705303\nc: 12345678901234567890', { a: 1.5, b: 32379705303, c: '12345678901234567890' }],
    ['own keys win over merged ones', 'x: &x {a: 1, b: 1}\ny: {<<: *x, b: 2}', { x: { a: 1, b: 1 }, y: { a: 1, b: 2 } }],
    ['wherever the merge stands', 'x: &x {a: 1}\ny: {a: 2, <<: *x}', { x: { a: 1 }, y: { a: 2 } }],
    ['the first of merged maps wins', 'x: &x {a: 1}\nz: &z {a: 2, b: 2}\ny: {<<: [*x, *z]}', { x: { a: 1 }, z: { a: 2, b: 2 }, y: { a: 1, b: 2 } }],
    ['the last of two keys wins', 'a: 1\na: 2', { a: 2 }],
    ['JSON, tabs and all', '{\n\t"a": [1, "b"]\n}', { a: [1, 'b'] }],
    ['almost JSON', '[a, {b: c}]', ['a', { b: 'c' }]],
    ['nothing', '# only a comment', null],
    ['a tag of someone else', 'a: !secret b', { a: 'b' }],
  ])('%s', (_story, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('a key named like a built-in is a key like others', () => {
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
    ['far too many dashes', '- '.repeat(500_000), /deep/],
    ['far too many keys', '{a: '.repeat(200_000), /deep/],
    ['far too many questions', '? '.repeat(500_000), /deep/],
    ['depth by aliases', Array.from({ length: 2_000 }, (_none, level) => `x: &a${level + 1} [${level === 0 ? '' : `*a${level}`}]`).join('\n'), /deep/],
    ['far too deep JSON', `${'['.repeat(500_000)}${']'.repeat(500_000)}`, /deep/],
    ['too many small values', `[${'a,'.repeat(200_000)}]`, /more than 200000 YAML tokens/],
    ['many aliases', `a: &a 1\nb: [${'*a ,'.repeat(11_000)}]`, /more than 10000 anchors and aliases/],
  ])('%s is refused', (_story, text, message) => {
    expect(refusal(text)).toMatch(message);
  });

  test('a bomb of aliases is refused before it goes off', () => {
    const lines = ['a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]'];
    for (let level = 1; level < 20; level += 1) lines.push(`a${level}: &a${level} [${Array(9).fill(`*a${level - 1}`).join(', ')}]`);
    expect(refusal(lines.join('\n'))).toMatch(/grows over 16777216 bytes/);
    expect(refusal(`a: &a {${'k'.repeat(100_000)}: 1}\nb: [${'{<<: *a},'.repeat(5_000)}]`)).toMatch(/grows over/);
  });

  test('hundreds of aliases of one value are ordinary', () => {
    expect(read(`a: &a 1\nb: [${'*a ,'.repeat(900)}]`)).toEqual({ a: 1, b: Array(900).fill(1) });
  });
});
