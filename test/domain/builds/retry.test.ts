import {
  automaticRetry,
  manualRetryProblem,
  softFails,
  type JobOutcome,
  type ManualRetrySubject,
} from '../../../src/domain/builds/retry.js';
import type { RetryRule, SoftFail } from '../../../src/domain/pipelines/steps/step.js';

const ended = (over: Partial<JobOutcome>): JobOutcome => ({ exitStatus: 1, signal: null, signalReason: null, ...over });

describe('the conditions of an automatic retry rule', () => {
  test.each<[string, Omit<RetryRule, 'limit'>, Partial<JobOutcome>, boolean]>([
    ['no condition', {}, {}, true],
    ['any status', { exitStatus: '*' }, { exitStatus: 255 }, true],
    ['any status, agent lost', { exitStatus: '*' }, { exitStatus: -1 }, true],
    ['a status that passed is never retried', {}, { exitStatus: 0 }, false],
    ['listed status', { exitStatus: [5, -1] }, { exitStatus: -1 }, true],
    ['unlisted status', { exitStatus: [5] }, { exitStatus: 6 }, false],
    ['no status', { exitStatus: [5] }, { exitStatus: null }, false],
    ['signal without SIG, other case', { signal: ['kill'] }, { signal: 'SIGKILL' }, true],
    ['signal with SIG', { signal: ['SIGTERM', 'SIGKILL'] }, { signal: 'term' }, true],
    ['other signal', { signal: ['SIGTERM'] }, { signal: 'SIGKILL' }, false],
    ['no signal required, none present', { signal: ['none'] }, {}, true],
    ['no signal required, one present', { signal: ['none'] }, { signal: 'SIGKILL' }, false],
    ['any signal required, none present', { signal: ['*'] }, {}, false],
    ['any reason', { signalReason: ['*'] }, { signalReason: 'agent_stop' }, true],
    ['no reason required, one present', { signalReason: ['none'] }, { signalReason: 'agent_stop' }, false],
    ['one of the reasons', { signalReason: ['cancel', 'agent_stop'] }, { signalReason: 'agent_stop' }, true],
    ['all conditions must hold', { exitStatus: [1], signalReason: ['agent_stop'] }, {}, false],
  ])('whether a rule matches is decided by all its conditions (%s)', (_, rule, outcome, matches) => {
    expect(automaticRetry([{ ...rule, limit: 1 }], ended(outcome), [])).toEqual(
      matches ? { retry: true, ruleIndex: 0 } : { retry: false },
    );
  });
});

describe('the limits of automatic retry rules', () => {
  const rules: RetryRule[] = [
    { exitStatus: [5], limit: 2 },
    { exitStatus: '*', limit: 4 },
  ];

  test.each<[number, number[], boolean, number]>([
    [5, [], true, 0],
    [5, [1], true, 0],
    [5, [2], false, 0],
    [5, [2, 0], false, 0],
    [6, [2], true, 1],
    [6, [2, 3], true, 1],
    [6, [0, 4], false, 1],
  ])('a job with exit status %d after %j retries is retried (%s) by rule %d', (exitStatus, used, retry, ruleIndex) => {
    expect(automaticRetry(rules, ended({ exitStatus }), used)).toEqual(retry ? { retry, ruleIndex } : { retry });
  });

  test('a limit of 0 forbids a retry that later rules would allow', () => {
    expect(
      automaticRetry(
        [
          { exitStatus: [5], limit: 0 },
          { exitStatus: '*', limit: 2 },
        ],
        ended({ exitStatus: 5 }),
        [],
      ),
    ).toEqual({ retry: false });
  });
});

test.each<[SoftFail, number | null, boolean]>([
  [true, 1, true],
  [true, null, true],
  [true, 0, false],
  [false, 1, false],
  [false, null, false],
  [[{ exitStatus: '*' }], 7, true],
  [[{ exitStatus: '*' }], null, true],
  [[{ exitStatus: '*' }], 0, false],
  [[{ exitStatus: 42 }], 42, true],
  [[{ exitStatus: 42 }], 41, false],
  [[{ exitStatus: 42 }], null, false],
  [[{ exitStatus: 1 }, { exitStatus: -1 }], -1, true],
  [[], 1, false],
])('soft_fail %j with exit status %j makes the failure soft: %s', (softFail, exitStatus, soft) => {
  expect(softFails(softFail, exitStatus)).toBe(soft);
});

describe('manualRetryProblem', () => {
  const job: ManualRetrySubject = {
    type: 'command',
    state: 'finished',
    passed: false,
    retried: false,
    buildState: 'failed',
    parentBuildCanceled: false,
    policy: { allowed: true, permitOnPassed: false, reason: null },
  };
  const state = 'Only failed, timed out or canceled jobs can be retried';

  test.each<[string, Partial<ManualRetrySubject>]>([
    ['failed', {}],
    ['timed out', { state: 'timed_out' }],
    ['canceled', { state: 'canceled' }],
    ['expired', { state: 'expired' }],
    ['a failed trigger', { type: 'trigger' }],
    ['while the build runs', { buildState: 'running' }],
    ['passed, by policy', { passed: true, policy: { allowed: true, permitOnPassed: true, reason: null } }],
  ])('a manual retry is allowed for this case: %s', (_, over) => {
    expect(manualRetryProblem({ ...job, ...over })).toBeNull();
  });

  test.each<[string, Partial<ManualRetrySubject>, string, string]>([
    ['passed', { passed: true }, 'state', state],
    ['running', { state: 'running', passed: null }, 'state', state],
    ['being canceled', { state: 'canceling', passed: null }, 'state', state],
    ['not run', { state: 'waiting_failed', passed: null }, 'state', state],
    ['a wait', { type: 'wait', passed: true }, 'state', state],
    ['a block', { type: 'block', state: 'unblocked' }, 'state', state],
    ['retried before (I14)', { retried: true }, 'state', 'Jobs can only be retried once'],
    ['a canceled build', { buildState: 'canceled' }, 'build', 'Jobs from canceled builds cannot be retried'],
    ['a build being canceled', { buildState: 'canceling' }, 'build', 'Jobs from canceled builds cannot be retried'],
    [
      'a canceled parent',
      { parentBuildCanceled: true },
      'build',
      "This job can't be retried because this build was triggered by a synchronous trigger step in a canceled build",
    ],
    [
      'forbidden with reason',
      { policy: { allowed: false, permitOnPassed: true, reason: 'Deploys run once' } },
      'policy',
      'Deploys run once',
    ],
    [
      'forbidden',
      { policy: { allowed: false, permitOnPassed: false, reason: null } },
      'policy',
      'Retries of this job have been turned off by its step',
    ],
  ])('a manual retry is refused for this case: %s', (_, over, kind, message) => {
    expect(manualRetryProblem({ ...job, ...over })).toEqual({ kind, message });
  });
});
