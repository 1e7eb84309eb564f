import fc from 'fast-check';
import { type RetriedJob, retryProblems, timesOutOfOrder } from '../../../src/domain/builds/promises.js';

const job = (id: string, fields: Partial<RetriedJob> = {}): RetriedJob => ({
  id,
  state: 'finished',
  retried: false,
  retriedInJobId: null,
  retrySourceId: null,
  retriesCount: null,
  ...fields,
});

/** A path of retries, as the program makes it. */
const path = (length: number): RetriedJob[] =>
  Array.from({ length }, (_, index) =>
    job(`${index}`, {
      retried: index < length - 1,
      retriedInJobId: index < length - 1 ? `${index + 1}` : null,
      retrySourceId: index > 0 ? `${index - 1}` : null,
      retriesCount: index > 0 ? index : null,
    }),
  );
const kinds = (jobs: readonly RetriedJob[]) =>
  retryProblems(jobs).map((problem) => `${problem.job.id} ${problem.kind}`);

describe('retries of a build', () => {
  test('a path of any length, in any order of its jobs, has no problem', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 20 }).chain((length) => fc.shuffledSubarray(path(length), { minLength: length })),
        (jobs) => {
          expect(retryProblems(jobs)).toEqual([]);
        },
      ),
    );
  });

  test.each<[string, RetriedJob[], string[]]>([
    ['a forgotten retry', [{ ...path(2)[0]!, retried: false, retriedInJobId: null }, path(2)[1]!], ['0 wrong retry']],
    ['a retry that no job is', [job('0', { retried: true, retriedInJobId: 'gone' })], ['0 wrong retry']],
    ['two retries of one job', [...path(2), job('x', { retrySourceId: '0', retriesCount: 1 })], ['0 retried twice']],
    ['a retry of a running job', [{ ...path(2)[0]!, state: 'running' }, path(2)[1]!], ['0 retried while it runs']],
    ['a source that is not there', [job('1', { retrySourceId: '0', retriesCount: 1 })], ['1 unknown source']],
    ['a wrong count', [path(2)[0]!, { ...path(2)[1]!, retriesCount: 4 }], ['1 wrong count']],
    [
      'a circle',
      [
        job('0', { retried: true, retriedInJobId: '1', retrySourceId: '1', retriesCount: 1 }),
        job('1', { retried: true, retriedInJobId: '0', retrySourceId: '0', retriesCount: 1 }),
      ],
      ['0 circle', '1 circle'],
    ],
  ])('%s is a problem of the job that has it', (_name, jobs, expected) => {
    expect(kinds(jobs)).toEqual(expected);
  });
});

test('after the changes that are asked for no time is before an earlier one, and none is asked for twice', () => {
  const names = ['a', 'b', 'c', 'd'] as const;
  const times = fc.tuple(...names.map(() => fc.option(fc.date({ noInvalidDate: true }))));
  fc.assert(
    fc.property(times, (dates) => {
      const before = names.map((name, index) => [name, dates[index] ?? null] as const);
      const changes = timesOutOfOrder(before);
      const after = before.map(([name, time]) => [name, changes[name] ?? time] as const);
      expect(timesOutOfOrder(after)).toEqual({});
      const known = after.flatMap(([, time]) => time ?? []);
      expect(known).toEqual(known.toSorted((a, b) => a.getTime() - b.getTime()));
      for (const [name, time] of before) if (time === null) expect(changes[name]).toBeUndefined();
    }),
  );
});
