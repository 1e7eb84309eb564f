import { parsePipeline } from '../../../src/domain/pipelines/steps/parse.js';
import { limitOf, raisableLimits, raiseLimits, readLimits } from '../../../src/domain/limits/raised-limits.js';

const matrixOf = (count: number) => ({
  steps: [{ command: 'make {{matrix}}', matrix: Array.from({ length: count }, (_, index) => `v${index}`) }],
});
const twoDimensions = (first: number, second: number) => ({
  steps: [
    {
      command: 'make {{matrix.a}} {{matrix.b}}',
      matrix: {
        setup: {
          a: Array.from({ length: first }, (_, index) => `a${index}`),
          b: Array.from({ length: second }, (_, index) => `b${index}`),
        },
      },
    },
  ],
});

describe('limits that an operator raises', () => {
  afterEach(() => raiseLimits(new Map()));

  test('a matrix of 72 jobs is refused by default, and planned where the operator allows it', () => {
    expect(parsePipeline(twoDimensions(9, 8))).toMatchObject({
      ok: false,
      problems: [{ message: 'A matrix may have at most 50 jobs; this one has 72.' }],
    });
    raiseLimits(readLimits('matrixJobs=72').values);
    expect(parsePipeline(twoDimensions(9, 8)).ok).toBe(true);
    expect(parsePipeline(twoDimensions(10, 8)).ok).toBe(false);
  });

  test('values of one dimension and the jobs of a definition follow', () => {
    expect(parsePipeline(matrixOf(26)).ok).toBe(false);
    raiseLimits(readLimits('matrixElements=30, jobsPerUpload=600').values);
    expect(parsePipeline(matrixOf(26)).ok).toBe(true);
    const parallel = (parallelism: number) => parsePipeline({ steps: [{ command: 'a', parallelism }] });
    expect([parallel(600).ok, parallel(601).ok]).toEqual([true, false]);
  });

  test.each(['matrixJobs=49', 'matrixJobs=501', 'matrixJobs=', 'matrixJobs=5e1', 'matrixJob=60', '=1', 'matrixJobs'])(
    'a wrong text is a problem, and raises nothing: %s',
    (text) => {
      const { values, problems } = readLimits(text);
      expect([values.size, problems.length]).toEqual([0, 1]);
    },
  );

  test('a call without values restores the usual ones', () => {
    raiseLimits(new Map([['matrixJobs', 100]]));
    raiseLimits(new Map());
    for (const name of ['matrixJobs', 'jobsPerUpload'] as const) expect(limitOf(name)).toBe(raisableLimits[name].usual);
  });
});
