import fc from 'fast-check';
import {
  afterSilence,
  afterUpload,
  newRun,
  runDeadline,
  type RunEvent,
  runEvents,
  type RunResult,
  type RunResultEvent,
  runResultEvents,
  runResults,
  runSettlesAfterMs,
  runStaleAfterMs,
  type RunStanding,
  type RunState,
  runStates,
  transitionRun,
  transitionRunResult,
} from '../../../src/domain/suites/suite-run-state.js';

/** The effect of each event in each state: the next state, `=` already there, `-` refused. */
const states: Record<RunState, Record<RunEvent, RunState | '=' | '-'>> = {
  running: { upload: '=', settle: 'finished' },
  finished: { upload: 'running', settle: '=' },
};
const results: Record<RunResult, Record<RunResultEvent, RunResult | '=' | '-'>> = {
  pending: { pass: 'passed', fail: 'failed', wait: 'stale' },
  passed: { pass: '=', fail: 'failed', wait: '-' },
  failed: { pass: '-', fail: '=', wait: '-' },
  stale: { pass: 'passed', fail: 'failed', wait: '=' },
};
const told = (decided: ReturnType<typeof transitionRun> | ReturnType<typeof transitionRunResult>) =>
  decided.kind === 'moved' ? decided.to : decided.kind === 'already' ? '=' : '-';

test.each(runStates.flatMap((state) => runEvents.map((event) => [state, event] as const)))(
  'a suite run in state %s follows the transition table on the event %s [api-v2:bggfmj,nkkcfk]',
  (state, event) => {
    expect(told(transitionRun(state, event))).toBe(states[state][event]);
  },
);

test.each(runResults.flatMap((result) => runResultEvents.map((event) => [result, event] as const)))(
  'the result %s of a suite run follows the transition table on the event %s [api-v2:cinifk,fbhbfi]',
  (result, event) => {
    expect(told(transitionRunResult(result, event))).toBe(results[result][event]);
  },
);

test('a new suite run is running and its result is pending [api-v2:nkkcfk,fbhbfi]', () =>
  expect(newRun).toEqual({ state: 'running', result: 'pending' }));

test('a suite run can have a result before it has finished [api-v2:dabpnd]', () => {
  expect(afterUpload(newRun, { processed: 1, failed: 0 })).toEqual({ state: 'running', result: 'passed' });
  expect(afterUpload(newRun, { processed: 2, failed: 1 })).toEqual({ state: 'running', result: 'failed' });
});

test('an upload without a valid result reopens the run and leaves its result unchanged', () => {
  for (const result of runResults)
    expect(afterUpload({ state: 'finished', result }, { processed: 0, failed: 0 })).toEqual({
      state: 'running',
      result,
    });
});

describe('a suite run without new uploads', () => {
  const last = new Date('2026-01-01T00:00:00Z');
  const at = (ms: number) => new Date(last.getTime() + ms);

  test.each<[RunStanding, number, RunStanding, number | null]>([
    [
      { state: 'running', result: 'pending' },
      runSettlesAfterMs - 1,
      { state: 'running', result: 'pending' },
      runSettlesAfterMs,
    ],
    [
      { state: 'running', result: 'pending' },
      runSettlesAfterMs,
      { state: 'finished', result: 'pending' },
      runStaleAfterMs,
    ],
    [{ state: 'running', result: 'passed' }, runSettlesAfterMs, { state: 'finished', result: 'passed' }, null],
    [
      { state: 'finished', result: 'pending' },
      runStaleAfterMs - 1,
      { state: 'finished', result: 'pending' },
      runStaleAfterMs,
    ],
    [{ state: 'running', result: 'pending' }, runStaleAfterMs, { state: 'finished', result: 'stale' }, null],
    [{ state: 'finished', result: 'failed' }, runStaleAfterMs, { state: 'finished', result: 'failed' }, null],
  ])(
    'a run that is %j has the expected state after %i ms without uploads [api-v2:nkkcfk,fbhbfi]',
    (run, silence, expected, deadline) => {
      const next = afterSilence(run, last, at(silence));
      expect(next).toEqual(expected);
      expect(runDeadline(next, last)).toEqual(deadline === null ? null : at(deadline));
    },
  );
});

describe('a suite run with any sequence of uploads', () => {
  type Step = { processed: number; failed: number } | 'settle' | 'stale';
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc
      .record({ processed: fc.integer({ min: 0, max: 9 }), failed: fc.integer({ min: 0, max: 9 }) })
      .map(({ processed, failed }) => ({ processed: processed + failed, failed })),
    fc.constant('settle' as const),
    fc.constant('stale' as const),
  );
  const start = new Date(0);
  const play = (run: RunStanding, each: Step): RunStanding =>
    typeof each === 'object'
      ? afterUpload(run, each)
      : afterSilence(run, start, new Date(each === 'settle' ? runSettlesAfterMs : runStaleAfterMs));

  test('the result reflects the processed uploads, and a failed run stays failed [api-v2:fbhbfi]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let run = newRun;
        let processed = 0;
        let failed = 0;
        for (const each of steps) {
          const before = run;
          run = play(run, each);
          if (typeof each === 'object') {
            processed += each.processed;
            failed += each.failed;
          }
          if (before.result === 'failed') expect(run.result).toBe('failed');
          if (failed > 0) expect(run.result).toBe('failed');
          else if (processed > 0) expect(run.result).toBe('passed');
          else expect(['pending', 'stale']).toContain(run.result);
        }
      }),
    );
  });

  test('a run is running after an upload, finished after enough silence, and then has no further deadline [api-v2:nkkcfk]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const run = steps.reduce(play, newRun);
        const last = steps.at(-1);
        if (last !== undefined) expect(run.state).toBe(typeof last === 'object' ? 'running' : 'finished');
        const silent = afterSilence(run, start, new Date(runStaleAfterMs));
        expect([silent.state, runDeadline(silent, start)]).toEqual(['finished', null]);
      }),
    );
  });
});
