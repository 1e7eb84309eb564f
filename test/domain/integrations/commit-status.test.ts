import {
  commitStatuses,
  type CommitStatusSettings,
  isFullSha,
  statusOfBuild,
  statusOfStep,
  type StatusBuild,
} from '../../../src/domain/integrations/commit-status.js';

const settings: CommitStatusSettings = {
  publish: true,
  perStep: false,
  separatePullRequest: false,
  blockedAsPending: false,
};
const build: StatusBuild = { number: 7, state: 'running', blockedState: null, pullRequestId: null };
const passed = { state: 'finished', passed: true, softFailed: false } as const;
const failed = { state: 'finished', passed: false, softFailed: false } as const;
const running = { state: 'running', passed: false, softFailed: false } as const;

test.each([
  ['scheduled', null, false, 'pending'],
  ['running', null, false, 'pending'],
  ['failing', null, false, 'pending'],
  ['canceling', null, false, 'pending'],
  ['passed', null, false, 'success'],
  ['failed', null, false, 'failure'],
  ['canceled', null, false, 'failure'],
  ['skipped', null, false, 'failure'],
  ['not_run', null, false, 'failure'],
  ['blocked', 'passed', false, 'success'],
  ['blocked', 'failed', false, 'failure'],
  ['blocked', 'running', false, 'pending'],
  ['blocked', 'passed', true, 'pending'],
] as const)(
  'a build in state %s (block state %s, blocked as pending: %s) has the commit status %s',
  (state, blockedState, pending, status) => expect(statusOfBuild({ state, blockedState }, pending)).toBe(status),
);

test.each([
  [[passed, passed], 'success'],
  [[passed, running], 'pending'],
  [[failed, running], 'failure'],
  [[{ ...failed, softFailed: true }, passed], 'success'],
  [[{ ...running, state: 'broken' }], 'failure'],
  [[{ ...running, state: 'skipped' }], 'success'],
] as const)('a step with the jobs %j has the commit status %s', (jobs, status) =>
  expect(statusOfStep([...jobs])).toBe(status),
);

test('a build has one commit status whose context names the pipeline', () => {
  expect(commitStatuses('app', settings, [], build, [])).toEqual([
    { context: 'buildkite/app', state: 'pending', description: 'Build #7 is running' },
  ]);
  expect(commitStatuses('app', { ...settings, publish: false }, [], build, [])).toEqual([]);
  expect(
    commitStatuses('app', { ...settings, separatePullRequest: true }, [], { ...build, pullRequestId: '3' }, [])[0]
      ?.context,
  ).toBe('buildkite/app/pr');
});

test('step statuses are sent as the setting says, and each documented context is sent once', () => {
  const steps = [
    { key: 'lint', label: 'Lint', requests: [], jobs: [passed] },
    {
      key: null,
      label: 'Unit',
      requests: [{ context: 'mine', blockedAsPending: false, condition: null }],
      jobs: [running],
    },
  ];
  const contexts = (perStep: boolean) =>
    commitStatuses(
      'app',
      { ...settings, perStep },
      [
        { context: null, blockedAsPending: false, condition: null },
        { context: 'whole', blockedAsPending: true, condition: null },
      ],
      build,
      steps,
    ).map(({ context, state }) => `${context} ${state}`);
  expect(contexts(false)).toEqual(['buildkite/app pending', 'whole pending', 'mine pending']);
  expect(contexts(true)).toEqual([
    'buildkite/app pending',
    'whole pending',
    'buildkite/app/lint success',
    'buildkite/app/Unit pending',
    'mine pending',
  ]);
});

test('a commit status is sent only for a full SHA', () =>
  expect(['HEAD', 'abc', 'A'.repeat(40), 'a'.repeat(40)].map(isFullSha)).toEqual([false, false, false, true]));
