import type { BuildState } from '../../../../src/domain/builds/build-state.js';
import { attemptOfCommit, judge } from '../../../../src/domain/builds/culprit/verdict.js';
import type { EndedJob } from '../../../../src/domain/builds/failures/job-failure.js';

const job = (change: Partial<EndedJob>): EndedJob => ({
  type: 'command',
  state: 'finished',
  passed: false,
  exitStatus: 1,
  signal: null,
  signalReason: null,
  timeoutInMinutes: 10,
  ...change,
});
const passed = job({ passed: true, exitStatus: 0 });
const timedOut = job({ state: 'timed_out', exitStatus: -1, signalReason: 'cancel' });

type Row = [says: string, state: BuildState, jobs: EndedJob[], timeouts: boolean, verdict: string | undefined];
const rows: Row[] = [
  ['a build that runs', 'failing', [job({})], false, undefined],
  ['a job that failed', 'failed', [passed, job({})], false, 'bad'],
  ['one that failed softly', 'passed', [job({})], false, 'bad'],
  ['jobs that passed', 'passed', [passed, passed], false, 'good'],
  ['a build without a job', 'not_run', [], false, 'skipped'],
  ['a canceled build', 'canceled', [job({ state: 'canceled', exitStatus: null })], false, 'skipped'],
  ['a canceled build one of whose jobs failed before', 'canceled', [job({})], false, 'bad'],
  ['a lost agent', 'failed', [passed, job({ exitStatus: -1 })], false, 'skipped'],
  [
    'an agent that refused the job',
    'failed',
    [job({ exitStatus: 1, signalReason: 'agent_refused' })],
    false,
    'skipped',
  ],
  ['a checkout that failed', 'failed', [job({ exitStatus: 128 })], false, 'skipped'],
  ['a script that says so', 'failed', [job({ exitStatus: 125 })], false, 'skipped'],
  ['a job that ran too long', 'failed', [timedOut], false, 'skipped'],
  ['a job that ran too long, as it did', 'failed', [timedOut], true, 'bad'],
  ['a job that did not run', 'failed', [passed, job({ state: 'waiting_failed', exitStatus: null })], false, 'skipped'],
  ['a job that was skipped', 'passed', [passed, job({ state: 'broken', exitStatus: null })], false, 'skipped'],
];

describe('the verdict on a commit', () => {
  test.each(rows)('by %s', (_says, state, jobs, timeouts, verdict) => {
    expect(judge({ state, jobs }, { timeouts })?.verdict).toBe(verdict);
  });

  test.each([
    ['a failure', { exitStatus: 1 }, false, false],
    ['a lost agent', { exitStatus: -1 }, false, null],
    ['a failed checkout', { exitStatus: 128 }, false, null],
    ['an agent that stopped', { exitStatus: 1, signalReason: 'agent_stop' }, false, null],
    ['a job that ran too long', { state: 'timed_out', signalReason: 'cancel' }, false, null],
    ['a job that ran too long, as it did', { state: 'timed_out', signalReason: 'cancel' }, true, false],
    ['a job that passed', { passed: true, exitStatus: 0 }, false, true],
  ] as const)('in an older build by %s', (_says, change, timeouts, passed) => {
    const build = { id: 'b', number: 1, commit: 'c', createdAt: new Date(0), jobId: 'j' };
    const attempt = { ...build, passed: false, state: 'finished' as const, exitStatus: 1, signalReason: null };
    expect(attemptOfCommit({ ...attempt, ...change }, timeouts).passed).toBe(passed);
  });

  test('says why it is none', () => {
    const reason = (state: BuildState, ...jobs: EndedJob[]) => judge({ state, jobs }, { timeouts: false })?.reason;
    expect(reason('failed', job({ exitStatus: -1, signalReason: 'agent_stop' }))).toBe(
      'A job ended with exit status -1 (agent_stop), which tells nothing of the commit.',
    );
    expect(reason('failed', job({ exitStatus: 128 }))).toBe(
      'A job ended with exit status 128, which tells nothing of the commit.',
    );
    expect(reason('canceled', job({ state: 'canceled' }))).toBe('Its build was canceled.');
    expect(reason('failed', job({ state: 'waiting_failed' }))).toBe('A step that it depends on failed.');
    expect(reason('failed', timedOut)).toBe('A job ran longer than it may.');
    expect(reason('not_run')).toBe('Not all of its jobs ran.');
    expect(reason('passed', passed)).toBeNull();
  });
});
