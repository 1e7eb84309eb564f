import type { StepAttempt } from '../../../../src/domain/builds/failures/job-failure.js';
import { boundsOf, commitsBetween, firstParents } from '../../../../src/domain/builds/culprit/bounds.js';

const sha = (number: number) => number.toString(16).padStart(40, '0');

/** Attempts of a job, newest first: `x` failed, `+` passed, `-` neither; builds are numbered from 1, the oldest. */
const attempts = (row: string): [StepAttempt, ...StepAttempt[]] =>
  [...row]
    .map((letter, index): StepAttempt => ({
      id: `build ${index + 1}`,
      jobId: `job ${index + 1}`,
      number: index + 1,
      commit: sha(index + 1),
      createdAt: new Date(0),
      passed: letter === '-' ? null : letter === '+',
      state: 'finished',
      exitStatus: letter === 'x' ? 1 : 0,
      signalReason: null,
    }))
    .reverse() as [StepAttempt, ...StepAttempt[]];

type Row = [says: string, rows: string[], good: number | null, bad: number];
const rows: Row[] = [
  ['one job that failed in one build', ['+x'], 1, 2],
  ['one that has failed for a while', ['+xxx'], 1, 2],
  ['builds between that tell nothing', ['+--x'], 1, 4],
  ['builds between failures that tell nothing', ['+-x-x'], 1, 3],
  ['one that has never passed', ['-xx'], null, 2],
  ['an older failure before a build that passed', ['x+x'], 2, 3],
  ['two jobs, one of which failed earlier', ['++xx', '+++x'], 2, 3],
  ['two jobs that never passed together', ['+x', 'xx'], null, 1],
  ['a build in which only one of two ran', ['++x', '+-x'], 1, 3],
];

describe('the bounds of a search', () => {
  test.each(rows)('of %s', (_says, each, good, bad) => {
    const bounds = boundsOf(each.map(attempts));
    expect([bounds?.good?.number ?? null, bounds?.bad.number]).toEqual([good, bad]);
  });

  test('are none where nothing failed', () => {
    expect(boundsOf([attempts('+-')])).toBeNull();
  });
});

describe('a list of commits', () => {
  const [good, one, two, bad] = [sha(1), sha(2), sha(3), sha(4)];
  test('may contain both ends and repeats', () => {
    const expected = { commits: [one, two, bad] };
    for (const listed of [
      [one, two],
      [one, two, bad],
      [good, one, two, bad],
      [one, one, two],
    ])
      expect(commitsBetween(listed, { good, bad })).toEqual(expected);
    expect(commitsBetween([], { good, bad })).toEqual({ commits: [bad] });
  });

  test('is refused in another order and with other names', () => {
    expect(commitsBetween([one, good], { good, bad })).toEqual({ problem: 'must begin after the commit that passed' });
    expect(commitsBetween([bad, one], { good, bad })).toEqual({ problem: 'must end with the commit that failed' });
    expect(commitsBetween(['HEAD'], { good, bad })).toEqual({ problem: 'must be full SHAs in lower case' });
  });

  test('of a provider is followed along first parents', () => {
    const listed = [
      { sha: bad, parents: [two, sha(9)] },
      { sha: sha(9), parents: [one] },
      { sha: two, parents: [one] },
      { sha: one, parents: [good] },
    ];
    expect(firstParents(listed, good, bad)).toEqual([one, two, bad]);
    expect(firstParents(listed, sha(7), bad)).toBeNull();
    expect(firstParents([{ sha: bad, parents: [bad] }], good, bad)).toBeNull();
    expect(firstParents([], good, bad)).toBeNull();
  });
});
