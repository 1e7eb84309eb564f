import fc from 'fast-check';
import { isBuildFinished } from '../../../src/domain/builds/build-state.js';
import { jobStates, type JobState } from '../../../src/domain/builds/job-state.js';
import { isHardFailure, rollup, somethingStirs, type RollupJob } from '../../../src/domain/builds/rollup.js';

const open = { cancelRequested: false, skipRequested: false };
const job = (state: JobState, over: Partial<RollupJob> = {}): RollupJob => ({
  type: 'command',
  state,
  passed: state === 'finished' ? true : null,
  softFailed: false,
  retried: false,
  started: false,
  promisedFailure: false,
  blockedState: null,
  ...over,
});
const failed = (over: Partial<RollupJob> = {}) => job('finished', { passed: false, ...over });
const block = (state: JobState, over: Partial<RollupJob> = {}) => job(state, { type: 'block', ...over });

describe('the state of a build', () => {
  test.each<[string, RollupJob[], string]>([
    ['no jobs', [], 'not_run'],
    ['new jobs', [job('pending'), job('waiting')], 'scheduled'],
    ['ready jobs', [job('scheduled'), job('limited')], 'scheduled'],
    ['accepted is not yet running (ruling 2)', [job('accepted'), job('scheduled')], 'scheduled'],
    ['a running job', [job('running'), job('scheduled')], 'running'],
    ['between two jobs', [job('finished'), job('scheduled')], 'running'],
    [
      'a started job that was softly canceled',
      [job('canceled', { softFailed: true, started: true }), job('scheduled')],
      'running',
    ],
    ['a passed wait does not start the build', [job('finished', { type: 'wait' }), job('scheduled')], 'scheduled'],
    ['a released block does', [block('unblocked'), job('scheduled')], 'running'],
    ['a retry reopens', [failed({ retried: true }), job('scheduled')], 'running'],
    ['a failure while others run', [failed(), job('running')], 'failing'],
    ['a failure while others are held', [failed(), job('scheduled'), job('waiting')], 'failing'],
    ['a promised failure', [job('running', { promisedFailure: true }), job('running')], 'failing'],
    ['a soft failure', [failed({ softFailed: true }), job('running')], 'running'],
    ['all passed', [job('finished'), job('finished', { type: 'wait' })], 'passed'],
    ['soft failures only', [failed({ softFailed: true })], 'passed'],
    ['broken beside passed', [job('broken'), job('finished')], 'passed'],
    ['all broken', [job('broken'), job('finished', { type: 'wait' }), job('skipped')], 'not_run'],
    ['failed', [failed(), job('waiting_failed')], 'failed'],
    ['timed out', [job('timed_out'), job('finished')], 'failed'],
    ['canceled', [job('canceled'), job('finished')], 'failed'],
    ['canceled softly', [job('canceled', { softFailed: true }), job('finished')], 'passed'],
    ['expired', [job('expired')], 'failed'],
    ['a contradicted promise', [job('finished', { promisedFailure: true })], 'failed'],
    ['a retried failure that passed', [failed({ retried: true }), job('finished')], 'passed'],
    ['a block reached', [job('finished'), block('blocked'), job('blocked')], 'blocked'],
    ['a block reached while others run', [job('running'), block('blocked')], 'running'],
    ['a block not reached', [job('running'), block('waiting')], 'running'],
    ['a block not reached any more', [failed(), block('blocked_failed')], 'failed'],
    ['a command behind a block is not a block', [job('running'), job('blocked')], 'running'],
    ['a superseded trigger job', [job('skipped', { type: 'trigger', started: true })], 'passed'],
  ])('a build gets the expected state from its jobs: %s', (_, jobs, state) => {
    expect(rollup(jobs, open).state).toBe(state);
  });

  test('a cancel request decides over any job, and a skip over everything else', () => {
    expect(rollup([failed(), job('running')], { ...open, cancelRequested: true }).state).toBe('canceling');
    expect(rollup([failed(), job('canceled')], { ...open, cancelRequested: true }).state).toBe('canceled');
    expect(rollup([block('canceled')], { cancelRequested: true, skipRequested: true }).state).toBe('canceled');
    expect(rollup([job('skipped')], { ...open, skipRequested: true }).state).toBe('skipped');
  });

  test('a blocked build shows the worst state of its blocks', () => {
    const kept = (...jobs: RollupJob[]) => rollup(jobs, open).blockedState;
    expect(kept(block('blocked'))).toBe('passed');
    expect(kept(block('blocked', { blockedState: 'running' }), block('blocked', { blockedState: 'passed' }))).toBe(
      'running',
    );
    expect(kept(block('blocked', { blockedState: 'running' }), failed())).toBe('failed');
    expect(kept(block('blocked', { blockedState: 'running' }), job('running'))).toBeNull();
  });
});

const anyJob: fc.Arbitrary<RollupJob> = fc.record({
  type: fc.constantFrom('command', 'wait', 'block', 'input', 'trigger'),
  state: fc.constantFrom(...jobStates),
  passed: fc.constantFrom(true, false, null),
  softFailed: fc.boolean(),
  retried: fc.boolean(),
  started: fc.boolean(),
  promisedFailure: fc.boolean(),
  blockedState: fc.constantFrom(null, 'passed', 'failed', 'running'),
});

describe('the state of a build, for any jobs', () => {
  test('the order of jobs does not matter, and superseded attempts change only the start time', () => {
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 8 }), fc.boolean(), (jobs, cancelRequested) => {
        const requests = { cancelRequested, skipRequested: false };
        const result = rollup(jobs, requests);
        expect(rollup([...jobs].reverse(), requests)).toEqual(result);
        expect(rollup([...jobs, ...jobs], requests)).toEqual(result);
        expect(result.blocked).toBe(result.state === 'blocked');
        if (result.state === 'failing' || result.state === 'failed') expect(result.failing).toBe(true);
        const current = jobs.filter(({ retried }) => !retried);
        if (result.state === 'passed' || result.state === 'not_run') expect(current.some(isHardFailure)).toBe(false);
        if (isBuildFinished(result.state) && !cancelRequested) expect(somethingStirs(current)).toBe(false);
      }),
    );
  });

  test('an additional failure never improves the state of a build', () => {
    fc.assert(
      fc.property(fc.array(anyJob, { maxLength: 8 }), (jobs) => {
        const before = rollup(jobs, open);
        const after = rollup([...jobs, failed()], open);
        expect(after.failing).toBe(true);
        if (before.state === 'running' || before.state === 'scheduled') expect(after.state).toBe('failing');
        expect(['failing', 'failed', 'blocked']).toContain(after.state);
      }),
    );
  });
});
