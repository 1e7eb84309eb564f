import { isCanonicalSha } from '../../../src/domain/builds/git-commit-text.js';
import {
  commitStatuses,
  type CommitStatusSettings,
  outcomeOfBuild,
  outcomeOfStep,
  type StatusBuild,
  type StatusStep,
} from '../../../src/domain/integrations/commit-status.js';
import { connectionProviders } from '../../../src/domain/integrations/provider-connection.js';
import { statusOutcomes } from '../../../src/domain/integrations/status-outcome.js';
import { statusWord } from '../../support/providers/status-word.js';

const settings: CommitStatusSettings = {
  publish: true,
  perStep: false,
  separatePullRequest: false,
  blockedAsPending: false,
  useStepKey: false,
  preventPrefix: false,
};
const build: StatusBuild = {
  number: 7,
  state: 'running',
  blockedState: null,
  pullRequestId: null,
  startedAt: null,
  finishedAt: null,
};
const passed = { state: 'finished', passed: true, softFailed: false, brokenReason: null } as const;
const failed = { state: 'finished', passed: false, softFailed: false, brokenReason: null } as const;
const running = { state: 'running', passed: false, softFailed: false, brokenReason: null } as const;

test.each([
  ['creating', null, false, 'scheduled'],
  ['scheduled', null, false, 'scheduled'],
  ['running', null, false, 'running'],
  ['failing', null, false, 'failing'],
  ['canceling', null, false, 'running'],
  ['passed', null, false, 'passed'],
  ['failed', null, false, 'failed'],
  ['canceled', null, false, 'canceled'],
  ['skipped', null, false, 'skipped'],
  ['not_run', null, false, 'not_run'],
  ['blocked', 'passed', false, 'passed'],
  ['blocked', 'failed', false, 'failed'],
  ['blocked', 'running', false, 'scheduled'],
  ['blocked', 'passed', true, 'scheduled'],
  ['blocked', 'failed', true, 'failed'],
] as const)(
  'a build in state %s (block state %s, blocked as pending: %s) has the outcome %s',
  (state, blockedState, pending, outcome) => expect(outcomeOfBuild({ state, blockedState }, pending)).toBe(outcome),
);

test.each([
  [[passed, passed], 'passed'],
  [[passed, running], 'running'],
  [[{ ...running, state: 'assigned' }], 'scheduled'],
  [[failed, running], 'failed'],
  [[{ ...failed, softFailed: true }, passed], 'passed'],
  [[{ ...running, state: 'timed_out' }], 'failed'],
  [[{ ...running, state: 'expired' }, passed], 'errored'],
  [[{ ...running, state: 'canceled' }, passed], 'errored'],
  [[{ ...running, state: 'broken' }], 'failed'],
  [[{ ...running, state: 'broken', brokenReason: 'conditional_failed' }], null],
  [[{ ...running, state: 'broken', brokenReason: 'conditional_failed' }, passed], 'passed'],
  [[{ ...running, state: 'skipped' }], null],
  [[], null],
] as const)('a step with the jobs %j has the outcome %s', (jobs, outcome) =>
  expect(outcomeOfStep([...jobs])).toBe(outcome),
);

test('every outcome has the documented state at each provider', () => {
  const table = Object.fromEntries(
    (['github', 'gitlab', 'bitbucket', 'bitbucket_server', 'gitea'] as const).map((provider) => [
      provider,
      statusOutcomes.map((outcome) => statusWord(provider, outcome)).join(' '),
    ]),
  );
  expect(statusOutcomes.join(' ')).toBe('scheduled running failing passed failed errored canceled skipped not_run');
  expect(table).toEqual({
    github: 'pending pending failure success failure error failure failure success',
    gitlab: 'pending running running success failed canceled canceled skipped skipped',
    bitbucket: 'INPROGRESS INPROGRESS FAILED SUCCESSFUL FAILED STOPPED STOPPED STOPPED SUCCESSFUL',
    bitbucket_server: 'INPROGRESS INPROGRESS FAILED SUCCESSFUL FAILED CANCELLED CANCELLED CANCELLED SUCCESSFUL',
    gitea: 'pending pending failure success failure error failure skipped skipped',
  });
  expect(connectionProviders.map((provider) => statusWord(provider, 'running'))).toHaveLength(7);
});

test('a build has one commit status whose context names the pipeline', () => {
  expect(commitStatuses('app', settings, [], build, [])).toEqual([
    {
      context: 'buildkite/app',
      outcome: 'running',
      state: 'pending',
      description: 'Build #7 is running',
      ofStep: false,
      problem: null,
      check: null,
    },
  ]);
  expect(commitStatuses('app', { ...settings, publish: false }, [], build, [])).toEqual([]);
  expect(
    commitStatuses('app', { ...settings, separatePullRequest: true }, [], { ...build, pullRequestId: '3' }, [])[0]
      ?.context,
  ).toBe('buildkite/app/pr');
});

test('step statuses are sent as the setting says, and each documented context is sent once', () => {
  const steps: StatusStep[] = [
    { key: 'lint', label: 'Lint', isGroup: false, requests: [], jobs: [passed] },
    {
      isGroup: false,
      key: null,
      label: 'Unit',
      requests: [{ context: 'mine', blockedAsPending: false, condition: null }],
      jobs: [running],
    },
  ];
  const contexts = (perStep: boolean, useStepKey = false) =>
    commitStatuses(
      'app',
      { ...settings, perStep, useStepKey },
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
    'buildkite/app/Lint success',
    'buildkite/app/Unit pending',
    'mine pending',
  ]);
  expect(contexts(true, true)).toContain('buildkite/app/lint success');
});

test('steps of one context share a status, which is that of the worst of their jobs', () => {
  const step = { key: null, label: 'Test', isGroup: false, requests: [] };
  const statuses = commitStatuses('app', { ...settings, perStep: true }, [], build, [
    { ...step, jobs: [passed] },
    { ...step, jobs: [failed] },
  ]);
  expect(statuses.map(({ context, outcome }) => `${context} ${outcome}`)).toEqual([
    'buildkite/app running',
    'buildkite/app/Test failed',
  ]);
});

test('a group has a status only where it asks for one, of the jobs of its steps', () => {
  const group: StatusStep = {
    key: 'all',
    label: 'All',
    isGroup: true,
    requests: [{ context: 'ci/all', blockedAsPending: false, condition: null }],
    jobs: [passed, running],
  };
  const contexts = commitStatuses('app', { ...settings, perStep: true }, [], build, [group]);
  expect(contexts.map(({ context, outcome }) => `${context} ${outcome}`)).toEqual([
    'buildkite/app running',
    'ci/all running',
  ]);
});

test('where custom statuses may not use the prefix, such requests are refused with the name of the setting', () => {
  const request = { blockedAsPending: false, condition: null };
  const statuses = commitStatuses(
    'app',
    { ...settings, publish: false, preventPrefix: true },
    [
      { ...request, context: null },
      { ...request, context: 'buildkite/other' },
      { ...request, context: 'ci/mine' },
    ],
    build,
    [],
  );
  expect(statuses.map(({ context, problem }) => [context, problem?.slice(0, 74) ?? null])).toEqual([
    ['buildkite/app', 'Not sent: the setting prevent_custom_statuses_from_using_buildkite_prefix '],
    ['buildkite/other', 'Not sent: the setting prevent_custom_statuses_from_using_buildkite_prefix '],
    ['ci/mine', null],
  ]);
});

test('the description says how long a finished build took, in 140 characters at most', () => {
  const ended = {
    ...build,
    state: 'passed' as const,
    startedAt: new Date('2026-01-01T10:00:00Z'),
    finishedAt: new Date('2026-01-01T10:03:04Z'),
  };
  expect(commitStatuses('app', settings, [], ended, [])[0]?.description).toBe('Build #7 passed (3 minutes, 4 seconds)');
  const [, long] = commitStatuses('app', { ...settings, perStep: true }, [], build, [
    { key: null, label: 'x'.repeat(300), isGroup: false, requests: [], jobs: [passed] },
  ]);
  expect([long?.description.length, long?.context.length]).toEqual([140, 255]);
});

test('a commit status is sent only for a full SHA', () =>
  expect(['HEAD', 'abc', 'A'.repeat(40), 'a'.repeat(40), 'a'.repeat(64)].map(isCanonicalSha)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]));
