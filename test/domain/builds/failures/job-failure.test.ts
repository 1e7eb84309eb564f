import {
  failureChanges,
  failureReason,
  hasFailed,
  stepHistory,
  type EndedJob,
  type StepAttempt,
} from '../../../../src/domain/builds/failures/job-failure.js';

const job = (more: Partial<EndedJob>): EndedJob => ({
  type: 'command',
  state: 'finished',
  passed: false,
  exitStatus: 1,
  signal: null,
  signalReason: null,
  timeoutInMinutes: null,
  ...more,
});

test.each([
  [{}, true],
  [{ passed: true, exitStatus: 0 }, false],
  [{ state: 'running' }, false],
  [{ state: 'canceled' }, false],
  [{ state: 'timed_out' }, true],
  [{ type: 'trigger' }, false],
] as [Partial<EndedJob>, boolean][])('whether %j has failed: %s', (more, expected) => {
  expect(hasFailed(job(more))).toBe(expected);
});

test.each([
  [{}, 'The command ended with exit status 1.'],
  [{ exitStatus: 127 }, 'The command ended with exit status 127: a program was not found.'],
  [{ exitStatus: null }, 'The command ended without an exit status.'],
  [{ exitStatus: -1, signal: 'SIGKILL' }, 'A signal ended the command (SIGKILL), with exit status -1.'],
  [{ state: 'timed_out', timeoutInMinutes: 9 }, 'It ran longer than its timeout of 9 minutes.'],
  [{ state: 'timed_out' }, 'It ran longer than it may.'],
] as [Partial<EndedJob>, string][])('how %j failed', (more, expected) => {
  expect(failureReason(job(more))).toBe(expected);
});

/** Attempts of builds 9, 8, 7 …: passed, failed, or neither. */
function attempts(...ends: ('+' | '-' | '?')[]): [StepAttempt, ...StepAttempt[]] {
  const all = ends.map((end, index) => ({
    id: `build ${9 - index}`,
    jobId: `job ${9 - index}`,
    number: 9 - index,
    commit: `c${9 - index}`,
    createdAt: new Date(9 - index),
    passed: end === '?' ? null : end === '+',
  }));
  return all as [StepAttempt, ...StepAttempt[]];
}

test.each([
  ['the first to fail', attempts('-', '+', '-'), 9, 8, ['c9']],
  ['one of several', attempts('-', '-', '-', '+', '+'), 7, 6, ['c9', 'c8', 'c7']],
  ['one behind a canceled one', attempts('-', '?', '+'), 9, 7, ['c9', 'c8']],
  ['one of a step that has never passed', attempts('-', '-', '?'), 8, null, []],
  ['the only one', attempts('-'), 9, null, []],
] as const)('since when %s fails', (_what, history, since, lastPassed, commits) => {
  const found = stepHistory(history);
  expect([found.since.number, found.lastPassed?.number ?? null, found.commits]).toEqual([since, lastPassed, commits]);
});

test('a commit that had passed, and one that was built twice, are told once or not at all', () => {
  const [first, second, third] = attempts('-', '-', '+') as [StepAttempt, StepAttempt, StepAttempt];
  const commit = 'same';
  expect(stepHistory([{ ...first, commit }, { ...second, commit }, third]).commits).toEqual(['same']);
  expect(stepHistory([{ ...first, commit }, second, { ...third, commit }]).commits).toEqual(['c8']);
});

test('what has changed: other values only, and attributes whatever the order of their keys', () => {
  const now = {
    agentName: 'a',
    queueKey: 'q',
    source: { command: 'make', env: { A: '1', B: '2' }, label: 'x' },
    startedAt: new Date(0),
    finishedAt: new Date(5_000),
  };
  const before = {
    agentName: 'b',
    queueKey: 'q',
    source: { env: { B: '2', A: '1' }, command: 'make all', key: 'k', label: 'x' },
    startedAt: new Date(0),
    finishedAt: new Date(2_500),
  };
  expect(failureChanges(['c'], now, before)).toEqual({
    commits: ['c'],
    agent: { from: 'b', to: 'a' },
    queue: null,
    step: ['command', 'key'],
    duration: { from: 2.5, to: 5 },
  });
  expect(failureChanges([], now, { ...now, agentName: null, startedAt: null })).toEqual({
    commits: [],
    agent: null,
    queue: null,
    step: null,
    duration: null,
  });
});
