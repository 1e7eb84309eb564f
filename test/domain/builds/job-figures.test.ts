import fc from 'fast-check';
import { jobFigures, jobOutcomes } from '../../../src/domain/builds/job-figures.js';
import { isTerminal, jobEvents, jobStates, jobTypes } from '../../../src/domain/builds/job-state.js';
import { spanIdOf, traceIdOfBuild, traceparentOfJob } from '../../../src/domain/builds/trace-ids.js';

const at = (seconds: number) => new Date(seconds * 1000);

describe('what the move of a job says to metrics', () => {
  const ran = {
    type: 'command',
    runnableAt: at(10),
    assignedAt: at(13),
    startedAt: at(15),
    finishedAt: at(40),
  } as const;

  test.each([
    ['an accepted job has waited', 'accept', 'accepted', ran, { waitSeconds: 3 }],
    ['an acquired job has waited', 'acquire', 'accepted', ran, { waitSeconds: 3 }],
    ['an offered job waits on', 'assign', 'assigned', ran, null],
    ['a started job has ended nothing', 'start', 'running', ran, null],
    ['a passed job', 'pass', 'finished', { ...ran, passed: true }, { outcome: 'passed', runSeconds: 25 }],
    ['a failed job', 'fail', 'finished', { ...ran, passed: false }, { outcome: 'failed', runSeconds: 25 }],
    ['a soft failure', 'fail', 'finished', { ...ran, softFailed: true }, { outcome: 'soft_failed', runSeconds: 25 }],
    ['a timeout', 'force_stop', 'timed_out', ran, { outcome: 'timed_out', runSeconds: 25 }],
    ['a lost job that goes back', 'lose_agent', 'scheduled', ran, null],
    ['a job that never ran', 'cancel', 'canceled', { type: 'command', finishedAt: at(4) }, { outcome: 'canceled' }],
    ['a trigger job', 'pass', 'finished', { ...ran, type: 'trigger', passed: true }, { outcome: 'passed' }],
    ['a wait', 'pass', 'finished', { type: 'wait', passed: true }, null],
    ['a clock that jumped back', 'accept', 'accepted', { ...ran, assignedAt: at(2) }, { waitSeconds: 0 }],
  ] as const)('%s', (_what, event, to, job, figures) => {
    expect(jobFigures(event, to, job)).toEqual(figures);
  });

  test('every job that ends has an outcome of the list, and no other has one', () => {
    const anyOf = <T>(list: readonly T[]) => fc.constantFrom(...list);
    const moves = fc.tuple(anyOf(jobEvents), anyOf(jobStates), anyOf(jobTypes), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(moves, ([event, to, type, passed, softFailed]) => {
        const takes = event === 'accept' || event === 'acquire';
        fc.pre(!takes && to !== 'unblocked' && to !== 'unblocked_failed');
        const figures = jobFigures(event, to, { type, passed, softFailed });
        const counts = (type === 'command' || type === 'trigger') && isTerminal(to);
        expect(figures !== null).toBe(counts);
        if (figures) expect(jobOutcomes).toContain(figures.outcome);
      }),
    );
  });
});

describe('ids of the trace of a build', () => {
  test('are valid for W3C Trace Context, whatever UUIDs of version 4 or 7 they are made of', () => {
    const uuid = fc.uuid({ version: [4, 7] });
    fc.assert(
      fc.property(uuid, uuid, (id, buildId) => {
        expect(traceIdOfBuild(buildId)).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
        expect(spanIdOf(id)).toMatch(/^(?!0{16})[0-9a-f]{16}$/);
        expect(traceparentOfJob({ id, buildId })).toBe(`00-${traceIdOfBuild(buildId)}-${spanIdOf(id)}-01`);
      }),
    );
  });
});
