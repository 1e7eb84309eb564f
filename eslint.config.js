import { readFileSync } from 'node:fs';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { noCircles } from './lint/circles.js';

/** Which folders of src a folder may import (docs/ARCHITECTURE.md); test/boundaries.test.ts checks the real graph against it. */
const { mayImport: importLaw, rootFiles } = JSON.parse(
  readFileSync(new URL('./import-law.json', import.meta.url), 'utf8'),
);

const places = Object.keys(importLaw);

/** Patterns of relative imports that a file of this place must not use. */
function forbidden(place) {
  const allowed = importLaw[place];
  const folders = places.filter((other) => !allowed.includes(other) && !Object.values(rootFiles).includes(other));
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
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.tsx'],
    plugins: { house: { rules: { 'no-circles': noCircles } } },
    rules: {
      'house/no-circles': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: true } }],
    },
  },
  {
    // The console is a program of its own, for browsers.
    files: ['src/console/**/*.ts', 'src/console/**/*.tsx'],
    languageOptions: {
      parserOptions: { project: './src/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: { 'react-hooks': reactHooks },
    rules: { 'react-hooks/rules-of-hooks': 'error' },
  },
  // Stories are read top to bottom, and their tables are long.
  { files: ['test/**/*.ts'], rules: { 'max-lines': ['error', { max: 650 }], 'no-nested-ternary': 'off' } },
  { files: ['src/migrations/2*.ts'], rules: { 'max-lines': 'off' } },
  {
    files: ['src/domain/**/*.ts'],
    rules: {
      'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'fetch', 'process'],
      'no-control-regex': 'error',
    },
  },
  ...lawRules,
);
