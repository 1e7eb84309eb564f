import fc from 'fast-check';
import {
  definitionEnvironment,
  interpolateDefinition,
} from '../../../../src/domain/pipelines/steps/interpolate-definition.js';
import {
  hasExpansion,
  identifiers,
  interpolate,
  InterpolationError,
} from '../../../../src/domain/pipelines/steps/interpolate.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../../support/vectors.js';

interface Case {
  id: string;
  input: string;
  env?: Record<string, string>;
  expected?: string;
  expected_error?: string;
  identifiers?: string[];
}

describeWithVectors('the interpolation vectors', () => {
  const { cases } = vectorsPresent ? readVectors<{ cases: Case[] }>('interpolation/interpolate.json') : { cases: [] };
  test.each(cases.map((each) => [each.id, each.input, each] as const))(
    'vector %s interpolates %j as expected',
    (_id, input, each) => {
      if (each.identifiers) expect(identifiers(input)).toEqual(each.identifiers);
      else if (each.expected_error !== undefined)
        expect(() => interpolate(input, each.env ?? {})).toThrow(new InterpolationError(each.expected_error));
      else expect(interpolate(input, each.env ?? {})).toBe(each.expected);
    },
  );
});

describe('interpolate', () => {
  const commit = { COMMIT: '1adf998e39', EMPTY: '' };

  test.each([
    ['a negative offset counts from the end', '${COMMIT: -3}', 'e39'],
    ['a negative length ends before the end', '${COMMIT:1:-3}', 'adf998'],
    ['an offset before the start is the start', '${COMMIT:-3}', '1adf998e39'],
    ['a default for unset leaves the empty value', '${EMPTY-x}', ''],
    ['a default for empty replaces it', '${EMPTY:-x}', 'x'],
    ['a required variable may be empty', '${EMPTY?}', ''],
    ['a dollar before a digit stays', 'awk "{print $1}"', 'awk "{print $1}"'],
    ['a lone backslash stays', 'a\\nb', 'a\\nb'],
    ['names of built-in properties are variables like others', '[$constructor]', '[]'],
  ])('interpolation gives the expected text: %s', (_story, text, expected) => {
    expect(interpolate(text, commit)).toBe(expected);
  });

  test.each([
    ['${', 'Expected identifier to start with a letter, got the end of the text'],
    ['${A', 'Expected an operator, got the end of the text'],
    ['${A:-b', 'Expected brace expansion to end with }, got the end of the text'],
    ['${A+b}', 'Expected an operator, got +'],
    ['${A:b}', 'Unable to parse offset: "b" is not a number'],
    ['${A:1:}', 'Unable to parse length: "" is not a number'],
    ['${A?}', '$A: not set'],
    ['${A?set $B first}', '$A: set  first'],
  ])('interpolating %s fails with: %s', (text, message) => {
    expect(() => interpolate(text, {})).toThrow(new InterpolationError(message));
  });

  test('endless nesting of variables is refused without recursion', () => {
    expect(() => interpolate('${A:-'.repeat(20_000), {})).toThrow(InterpolationError);
    expect(interpolate('$${A:-'.repeat(20_000), {})).toBe('${A:-'.repeat(20_000));
  });

  test('hasExpansion distinguishes text with variables from text with escapes only', () => {
    expect([hasExpansion('a $B'), hasExpansion('${'), hasExpansion('a $$B'), hasExpansion('/end$/')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test('text without dollar sign or backslash is unchanged', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !/[$\\]/.test(text)),
        (text) => interpolate(text, { A: 'x' }) === text,
      ),
    );
  });

  test('escaping every dollar sign gives back the text', () => {
    fc.assert(
      fc.property(
        fc.string().filter((text) => !text.includes('\\')),
        (text) => interpolate(text.replaceAll('$', '$$$$'), {}) === text,
      ),
    );
  });
});

describe('interpolateDefinition', () => {
  test('each top-level variable is visible to the following variables and to the steps', () => {
    const document = {
      env: { A: '1', B: '${A}2' },
      steps: [{ command: 'echo $B', env: { $A: '$UNKNOWN' }, parallelism: 3 }],
    };
    expect(interpolateDefinition(document, {})).toEqual({
      env: { A: '1', B: '12' },
      steps: [{ command: 'echo 12', env: { '1': '' }, parallelism: 3 }],
    });
  });

  test('variables that double one another are stopped at the size limit', () => {
    const env = Object.fromEntries(
      Array.from({ length: 40 }, (_none, level) => [`A${level}`, level === 0 ? 'x' : `$A${level - 1}`.repeat(2)]),
    );
    expect(() => interpolateDefinition({ env, steps: [] }, {})).toThrow(
      /^The interpolated definition is longer than 2097152 characters$/,
    );
    const long = 'x'.repeat(1_000_000);
    expect(() => interpolateDefinition(Array<string>(20).fill('$A'), { A: long })).toThrow(
      /^The interpolated definition is longer/,
    );
  });

  test('the signature of a step is not interpolated', () => {
    const signature = { algorithm: 'HS512', value: 'a$B', signed_fields: ['command'] };
    expect(interpolateDefinition([{ command: '$B', signature }], { B: 'x' })).toEqual([{ command: 'x', signature }]);
  });

  test("stored steps see the build's variables and the standard variables known by then", () => {
    const standard = { BUILDKITE_BRANCH: 'main', BUILDKITE_BUILD_NUMBER: '7' };
    expect(definitionEnvironment(standard, { OWN: 'x', BUILDKITE_BRANCH: 'forged' })).toEqual({
      BUILDKITE_BRANCH: 'main',
      OWN: 'x',
    });
  });
});
