import { jobStates, type JobState } from '../../../src/domain/builds/job-state.js';
import { transition } from '../../../src/domain/builds/job-state.js';
import {
  dueEvent,
  effectiveTimeout,
  jobDeadline,
  jobExpiryMinutes,
  timeoutChangeProblem,
  type TimedJob,
} from '../../../src/domain/builds/timeouts.js';

test.each<[string, (number | null)[], number | null]>([
  ['no timeout set', [null, null, null, null, null], null],
  ['set by the step', [5, 10, null, 20, null], 5],
  ['set by the pipeline', [null, 10, null, 20, null], 10],
  ['set by the organization', [null, null, null, 20, null], 20],
  ['capped by the pipeline', [60, null, 30, null, null], 30],
  ['capped by the organization', [60, null, null, null, 15], 15],
  ['capped by the smaller maximum', [60, null, 30, null, 15], 15],
  ['a maximum alone', [null, null, 30, null, null], 30],
  ['below the maximum', [5, null, 30, null, 15], 5],
  ['0 by the pipeline', [null, 0, 0, null, null], null],
  ['0 by the pipeline, set by the organization', [null, 0, 0, 20, 15], 15],
])(
  'the effective timeout of a job follows its step, the defaults and the maximums (%s)',
  (_, [step, pipeline, pipelineMaximum, organization, organizationMaximum], minutes) => {
    expect(
      effectiveTimeout({
        stepTimeoutInMinutes: step ?? null,
        pipelineDefaultInMinutes: pipeline ?? null,
        pipelineMaximumInMinutes: pipelineMaximum ?? null,
        organizationDefaultInMinutes: organization ?? null,
        organizationMaximumInMinutes: organizationMaximum ?? null,
      }),
    ).toBe(minutes);
  },
);

test.each<[number, number | null, number | null, string | null]>([
  [10, 5, null, null],
  [65, 5, null, null],
  [66, 5, null, 'Timeout can be at most 65 minutes'],
  [40, 5, 30, 'Timeout can be at most 30 minutes'],
  [500, null, null, null],
  [1, 90, null, null],
  [0, 5, null, 'Timeout must be a positive number of minutes'],
  [1.5, 5, null, 'Timeout must be a positive number of minutes'],
])(
  "setting a job's timeout to %d minutes (initially %j, maximum %j) has the problem %j",
  (wanted, initial, maximum, problem) => {
    expect(
      timeoutChangeProblem(wanted, initial, { pipelineMaximumInMinutes: maximum, organizationMaximumInMinutes: null }),
    ).toBe(problem);
  },
);

describe('the deadline of a job', () => {
  const at = (seconds: number) => new Date(seconds * 1000);
  const job: TimedJob = { type: 'command', createdAt: at(0), timeoutInMinutes: 2, expiryInMinutes: jobExpiryMinutes };

  test.each<[JobState, string, number]>([
    ['scheduled', 'expire', 30 * 86400],
    ['limiting', 'expire', 30 * 86400],
    ['limited', 'expire', 30 * 86400],
    ['reserved', 'requeue', 1000],
    ['assigned', 'requeue', 130],
    ['accepted', 'requeue', 160],
    ['running', 'time_out', 220],
    ['canceling', 'force_stop', 130],
    ['timing_out', 'force_stop', 130],
  ])('a job that enters the state %s at second 100 gets the event %s at second %d', (state, event, second) => {
    expect(jobDeadline(job, state, at(100))).toEqual(at(second));
    expect(dueEvent(state)).toBe(event);
  });

  test.each([null, 0])('a running job without a timeout (%s) has no deadline', (timeoutInMinutes) => {
    expect(jobDeadline({ ...job, timeoutInMinutes }, 'running', at(100))).toBeNull();
  });

  test('jobs that no agent takes have no deadline', () => {
    for (const type of ['wait', 'block', 'input', 'trigger'] as const)
      for (const state of jobStates) expect(jobDeadline({ ...job, type }, state, at(100))).toBeNull();
  });

  test('a state has a deadline if and only if an event is due at it, which is legal there', () => {
    for (const state of jobStates) {
      const event = dueEvent(state);
      expect(jobDeadline(job, state, at(100)) === null).toBe(event === null);
      if (event !== null) expect(transition('command', state, event).kind).toBe('moved');
    }
  });
});
