import { describe, expect, test } from 'vitest';
import { errorOf } from '../../../src/console/relay/graphql-error';
import { texts } from '../../../src/console/texts/texts';
import { problemOf } from '../../../src/console/ui/field-problem';

const refusal = (fields: unknown, message = 'Validation failed') =>
  errorOf([{ message, extensions: { code: 'VALIDATION', fields } }]);

describe('a refusal of the server', () => {
  test('keeps the message, code and fields of its first error', () => {
    const error = refusal([{ field: 'name', message: 'is taken' }]);
    expect([error.message, error.code, error.fields]).toEqual([
      'Validation failed',
      'VALIDATION',
      [{ field: 'name', message: 'is taken' }],
    ]);
  });

  test('has a code and a reason even where the server gave none', () => {
    expect(errorOf([])).toMatchObject({ code: 'INTERNAL', message: 'The server gave no reason', fields: [] });
  });

  test.each([
    ['a list', [{ path: 'input.default_branch', message: 'is too long' }], 'is too long'],
    ['an object', { defaultBranch: 'is too long' }, 'is too long'],
    ['a field that is absent', { default_branch: 'missing' }, texts.errors.missing],
    ['another field', { name: 'is too long' }, undefined],
  ])('stands beside the field that %s names', (_, fields, text) => {
    expect(problemOf(refusal(fields), 'defaultBranch')).toBe(text);
  });

  test('stands beside the field that its sentence begins with', () => {
    expect(problemOf(refusal(undefined, 'Validation failed: name is taken'), 'name')).toBe('is taken');
    expect(problemOf(refusal(undefined, 'Validation failed: name is taken'), 'slug')).toBeUndefined();
    expect(problemOf(null, 'name')).toBeUndefined();
  });
});
