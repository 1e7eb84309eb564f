import { existsSync, readFileSync } from 'node:fs';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { nounsForThings, shortLines } from './lint/budgets.js';
import { noCircles } from './lint/circles.js';

/** Which folders of src a folder may import (docs/ARCHITECTURE.md); test/boundaries.test.ts checks the real graph against it. */
const { mayImport: importLaw, rootFiles } = JSON.parse(
  readFileSync(new URL('./import-law.json', import.meta.url), 'utf8'),
);

const places = Object.keys(importLaw);

/** Patterns of relative imports that a file of this place must not use. */
function forbidden(place) {
  const allowed = importLaw[place];
  // A room may have a folder that is named like another room (graphql/server): of these only the test sees which is meant.
  const isOwnFolder = (other) => existsSync(new URL(`./src/${place}/${other}`, import.meta.url));
  const folders = places.filter(
    (other) => !allowed.includes(other) && !Object.values(rootFiles).includes(other) && !isOwnFolder(other),
  );
  const files = Object.entries(rootFiles)
    .filter(([, other]) => !allowed.includes(other))
    .map(([file]) => file.replace('.ts', '.js'));
  return [
    ...folders.map((folder) => ({
      regex: `^(\\.\\./)+${folder}/`,
      message: `${place} must not import ${folder} (import law).`,
    })),
    ...files.map((file) => ({
      regex: `^(\\.\\./)+${file.replace('.', '\\.')}$`,
      message: `${place} must not import ${file} (import law).`,
    })),
  ];
}

const lawRules = places.map((place) => ({
  files: [`src/${place}/**/*.ts`, `src/${place}/**/*.tsx`],
  rules: { 'no-restricted-imports': ['error', { patterns: forbidden(place) }] },
}));

/** Syntax that no file of the server may have. */
const restrictedSyntax = [
  {
    selector:
      ':matches(ClassBody, FunctionDeclaration, FunctionExpression, ArrowFunctionExpression) NewExpression[callee.name="AsyncLocalStorage"]',
    message: 'Every promise of the process pays for each AsyncLocalStorage that was ever made: make one in its module.',
  },
  {
    selector: 'ImportDeclaration[source.value="node:timers/promises"] > ImportSpecifier[imported.name="setImmediate"]',
    message:
      'Pieces that wait for the next turn all run within it: wait for one with event-loop/turns.ts, which shares them.',
  },
];

const statefulTables = '/^(jobs|builds|agents)$/';
const oneDoor = 'Only engine/state/ updates jobs, builds and agents (docs/decisions/0028-one-door-for-state.md).';
/** Updates of the tables whose state changes by events; engine/state/ is the only code that may have them. */
const restrictedUpdates = [
  {
    selector: `CallExpression[callee.property.name="updateTable"][arguments.0.value=${statefulTables}]`,
    message: oneDoor,
  },
  {
    selector: 'CallExpression[callee.property.name="updateTable"] > Identifier.arguments',
    message: `Name the table: ${oneDoor}`,
  },
  { selector: 'CallExpression[callee.object.name="context"][callee.property.name="change"]', message: oneDoor },
  { selector: 'TemplateElement[value.raw=/\\bupdate\\s+"?(jobs|builds|agents)\\b/i]', message: oneDoor },
];
/**
 * Code besides engine/state/ that may: the writer of what the recorder has, migrations, and the statement that stores a chunk of
 * a log with the size that the log has by then.
 */
const mayUpdate = [
  'src/engine/state/**',
  'src/database/write-statement.ts',
  'src/migrations/**',
  'src/resources/builds/logs/chunk-inserts.ts',
];

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      'data/**',
      'coverage/**',
      'tmp/**',
      'bench/**/*.mjs',
      'examples/**',
      'src/console/__generated__/**',
    ],
  },
  ...tseslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { project: './tsconfig.test.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-console': 'error',
      'no-nested-ternary': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'max-params': ['error', 6],
      // Prettier lays out code; comments are ours to wrap.
      'max-len': ['error', { code: 10_000, comments: 120, ignoreUrls: true, ignorePattern: 'eslint-disable' }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: {
      house: { rules: { 'no-circles': noCircles, 'nouns-for-things': nounsForThings, 'short-lines': shortLines } },
    },
    rules: {
      'house/no-circles': 'error',
      'house/nouns-for-things': 'error',
      'house/short-lines': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
      'no-restricted-syntax': ['error', ...restrictedSyntax],
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: mayUpdate,
    rules: { 'no-restricted-syntax': ['error', ...restrictedSyntax, ...restrictedUpdates] },
  },
  {
    // The console is a program of its own, for browsers.
    files: ['src/console/**/*.ts', 'src/console/**/*.tsx', 'test/console/logic/**/*.ts'],
    languageOptions: {
      parserOptions: { project: './src/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error' },
  },
  // Stories are read top to bottom, and their tables are long.
  { files: ['test/**/*.ts'], rules: { 'max-lines': ['error', { max: 650 }], 'no-nested-ternary': 'off' } },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/support/skips.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.name=/^(describe|test|it|suite)$/][property.name=/^(skip|skipIf|runIf|todo|only)$/]',
          message: 'A test that is skipped says why: describeUnless or testUnless of test/support/skips.ts.',
        },
      ],
    },
  },
  // A migration that was released is never edited again.
  { files: ['src/migrations/2*.ts'], rules: { 'max-lines': 'off', 'house/short-lines': 'off' } },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'fetch', 'process'],
      'no-control-regex': 'error',
    },
  },
  ...lawRules,
);
