import fc from 'fast-check';
import {
  matrixJobs,
  normalMatrix,
  parseMatrix,
  type Matrix,
} from '../../../../src/domain/pipelines/steps/matrix/matrix.js';
import { substituteMatrixIn } from '../../../../src/domain/pipelines/steps/matrix/tokens.js';
import type { Json } from '../../../../src/domain/pipelines/steps/step.js';

function matrixOf(value: Json): Matrix {
  const result = parseMatrix(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.matrix;
}

const cube = { os: ['linux', 'mac'], arch: ['x', 'arm'], mode: ['a', 'b'] };

describe('matrixJobs', () => {
  test.each<[string, Json, number]>([
    ['a list', ['a', 'b', 'c'], 3],
    ['three dimensions', { setup: cube }, 8],
    [
      'an adjustment adds a combination',
      { setup: cube, adjustments: [{ with: { os: 'plan9', arch: 'x', mode: 'a' } }] },
      9,
    ],
    [
      'an adjustment removes a combination',
      { setup: cube, adjustments: [{ with: { os: 'mac', arch: 'x', mode: 'a' }, skip: true }] },
      7,
    ],
    [
      'any text as skip skips',
      { setup: cube, adjustments: [{ with: { os: 'mac', arch: 'x', mode: 'a' }, skip: 'broken' }] },
      7,
    ],
    [
      'an adjustment of two dimensions matches both values of the third',
      { setup: cube, adjustments: [{ with: { os: 'mac', arch: 'x' }, skip: true }] },
      6,
    ],
    ['a list of one value stands for that value', { setup: ['a', 'b'], adjustments: [{ with: ['c'] }] }, 3],
    ['all jobs by adjustment', { setup: { arch: [] }, adjustments: [{ with: { arch: 'arm' } }] }, 1],
    ['no values', { setup: { arch: [] } }, 0],
  ])('a matrix has the expected number of jobs: %s', (_story, value, count) => {
    expect(matrixJobs(matrixOf(value))).toHaveLength(count);
  });

  test('matrix jobs are in the order of the values, and an adjustment sets soft_fail of its own job', () => {
    const jobs = matrixJobs(
      matrixOf({
        setup: { a: [1, 2], b: ['x', 'y'] },
        adjustments: [{ with: { a: 2, b: 'x' }, soft_fail: [{ exit_status: 3 }] }],
      }),
    );
    expect(jobs.map(({ permutation }) => `${permutation['a']}${permutation['b']}`)).toEqual(['1x', '1y', '2x', '2y']);
    expect(jobs.map(({ softFail }) => softFail)).toEqual([null, null, [{ exitStatus: 3 }], null]);
  });

  const dimension = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });
  const setup = fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), dimension, { minKeys: 1, maxKeys: 2 });

  test('a matrix makes as many jobs as the product of its dimensions, plus new combinations, minus skipped ones', () => {
    fc.assert(
      fc.property(setup, (dimensions) => {
        const product = Object.values(dimensions).reduce((count, values) => count * values.length, 1);
        const first = Object.fromEntries(Object.entries(dimensions).map(([name, values]) => [name, values[0] ?? '']));
        const fresh = Object.fromEntries(Object.keys(dimensions).map((name) => [name, 'longer than any']));
        const count = (adjustments: Json): number => matrixJobs(matrixOf({ setup: dimensions, adjustments })).length;
        return (
          count([]) === product &&
          count([{ with: fresh }]) === product + 1 &&
          count([{ with: first, skip: true }]) === product - 1
        );
      }),
    );
  });

  test('every matrix job has a value of each dimension, and the normal form makes the same jobs', () => {
    fc.assert(
      fc.property(setup, (dimensions) => {
        const matrix = matrixOf({ setup: dimensions });
        const jobs = matrixJobs(matrix);
        return (
          jobs.every(({ permutation }) =>
            Object.entries(matrix.setup).every(([name, values]) => values.includes(permutation[name] ?? '')),
          ) && JSON.stringify(matrixJobs(matrixOf(normalMatrix(matrix)))) === JSON.stringify(jobs)
        );
      }),
    );
  });
});

describe('parseMatrix', () => {
  const numbers = (count: number): Json => Array.from({ length: count }, (_none, index) => index);

  test.each<[string, Json, string]>([
    ['a word', 'a', 'matrix: A matrix must be a list'],
    ['nested values', [['a']], 'matrix: Each value'],
    ['26 values', numbers(26), 'matrix: A matrix may have at most 25 values'],
    [
      '7 dimensions',
      { setup: Object.fromEntries('abcdefg'.split('').map((name) => [name, [1]])) },
      'matrix: A matrix may have at most 6 dimensions',
    ],
    [
      '13 adjustments',
      { setup: ['a'], adjustments: Array(13).fill({ with: 'a' }) as Json },
      'matrix.adjustments: A matrix may have at most 12 adjustments',
    ],
    [
      '51 jobs',
      { setup: { a: numbers(17), b: numbers(3) } },
      'matrix: A matrix may have at most 50 jobs; this one has 51.',
    ],
    [
      'millions of jobs',
      { setup: Object.fromEntries('abcdef'.split('').map((name) => [name, numbers(25)])) },
      'this one has 244140625.',
    ],
    ['long values', ['ä'.repeat(65)], 'matrix: Names and values of a matrix may have at most 128 bytes.'],
    [
      'an unknown dimension',
      { setup: { a: [1] }, adjustments: [{ with: { b: 1 } }] },
      'matrix.adjustments[0].with: An adjustment must name dimensions',
    ],
    [
      'half a new combination',
      { setup: cube, adjustments: [{ with: { os: 'plan9' } }] },
      'matrix.adjustments[0].with: An adjustment that adds',
    ],
    ['no combination', { setup: ['a'], adjustments: [{ skip: true }] }, 'matrix.adjustments[0].with: "with" must give'],
    [
      'a soft_fail of no sense',
      { setup: ['a'], adjustments: [{ with: 'a', soft_fail: 'x' }] },
      'matrix.adjustments[0].soft_fail: ',
    ],
  ])('an invalid matrix is refused: %s', (_story, value, problem) => {
    const result = parseMatrix(value);
    expect(result.ok ? '' : `${result.problems[0]?.path}: ${result.problems[0]?.message}`).toContain(problem);
  });
});

test('matrix tokens are replaced in all strings of a value, and nothing else is replaced', () => {
  const value = {
    'docker#{{matrix.v}}': { image: 'a:{{ matrix.v }}', n: 1, list: ['{{matrix.v}}', '{{ other }}', '{{matrix.v'] },
  };
  expect(substituteMatrixIn(value, { v: '$&' })).toEqual({
    'docker#$&': { image: 'a:$&', n: 1, list: ['$&', '{{ other }}', '{{matrix.v'] },
  });
});
