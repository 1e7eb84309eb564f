import { existsSync, readFileSync } from 'node:fs';
import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { nounsForThings, shortLines } from '../../lint/budgets.js';

const budgets = JSON.parse(readFileSync('lint/budgets.json', 'utf8')) as Record<string, Record<string, number>>;
const sum = (counts: Record<string, number> = {}) => Object.values(counts).reduce((total, count) => total + count, 0);

/** Lines and messages that a rule reports for a file of this name. */
function reports(rule: typeof nounsForThings, code: string, name = 'src/new-file.ts') {
  const config = {
    files: ['**/*.ts'],
    languageOptions: { parser: tseslint.parser as Linter.Parser },
    plugins: { house: { rules: { rule } } },
    rules: { 'house/rule': 'error' as const },
  };
  return new Linter({ cwd: process.cwd() })
    .verify(code, [config], { filename: `${process.cwd()}/${name}` })
    .map(({ line, message }) => [line, message]);
}

const name = expect.stringContaining('Name a thing by a noun');

describe('names', () => {
  test.each([
    'const found = 1;',
    'let { row: held } = rows;',
    'const { held = 1 } = rows;',
    'const [, ...given] = rows;',
    'function read(asked: string) {}',
    'const read = ({ told }: Row) => 1;',
    'interface Row { kept: boolean }',
    'class Row { private seen = 1; }',
    'class Row { constructor(readonly taken: string) {} }',
    'class Row { made() {} }',
    'type Read = (wanted: number) => void;',
  ])('a participle is refused: %s', (code) => {
    expect(reports(nounsForThings, code)).toEqual([[1, name]]);
  });

  test.each([
    'const row = known.found;',
    'const { found: row } = reply;',
    'send({ found: row });',
    'const heldJobs = new Map();',
  ])('the name of somebody else may be used, and a noun with a participle before it: %s', (code) => {
    expect(reports(nounsForThings, code)).toEqual([]);
  });
});

test('a line of more than 120 characters is refused, and one of 120 is not', () => {
  expect(reports(shortLines, `const a = '${'é'.repeat(107)}';`)).toEqual([]);
  expect(reports(shortLines, `const b = 1;\nconst a = '${'é'.repeat(108)}';`)).toEqual([
    [2, expect.stringContaining('at most 120 characters')],
  ]);
});

test('a file that has less than its budget must lower it', () => {
  const [[file = ''] = []] = Object.entries(budgets['participles'] ?? {});
  expect(reports(nounsForThings, 'const row = 1;', file)).toEqual([[1, expect.stringContaining('lower the number')]]);
});

test('budgets are of files that exist, and their sums only shrink', () => {
  const files = Object.values(budgets).flatMap((counts) => Object.keys(counts));
  expect(files.filter((path) => !existsSync(path))).toEqual([]);
  expect(sum(budgets['participles'])).toBeLessThanOrEqual(51);
  expect(sum(budgets['longLines'])).toBeLessThanOrEqual(46);
});
