import {
  isActive,
  isLive,
  isQueued,
  isSettled,
  isTerminal,
  isUnblockable,
  isUndecided,
  jobEvents,
  jobStates,
  jobTransitions,
  jobTypes,
  restJobState,
  transition,
  type JobEvent,
  type JobState,
  type JobType,
} from '../../../src/domain/builds/job-state.js';

/**
 * Every legal move, written down a second time by state as people read it, so that neither table changes alone.
 * `event>state`; block and input are alike.
 */
const expected: Record<Exclude<JobType, 'input'>, Partial<Record<JobState, string>>> = {
  command: {
    pending:
      'wait>waiting block>blocked wait_failed>waiting_failed block_failed>blocked_failed queue>limiting schedule>scheduled cancel>canceled skip>skipped break>broken',
    waiting:
      'block>blocked wait_failed>waiting_failed block_failed>blocked_failed queue>limiting schedule>scheduled cancel>canceled skip>skipped',
    blocked:
      'wait>waiting wait_failed>waiting_failed block_failed>blocked_failed queue>limiting schedule>scheduled cancel>canceled skip>skipped',
    waiting_failed: 'wait>waiting block>blocked block_failed>blocked_failed queue>limiting schedule>scheduled',
    blocked_failed: 'wait>waiting block>blocked wait_failed>waiting_failed queue>limiting schedule>scheduled',
    limiting: 'limit>limited schedule>scheduled cancel>canceled expire>expired skip>skipped',
    limited: 'schedule>scheduled cancel>canceled expire>expired skip>skipped',
    scheduled:
      'reserve>reserved assign>assigned acquire>accepted stack_finish>finished stack_error>finished cancel>canceled expire>expired skip>skipped',
    reserved:
      'assign>assigned acquire>accepted requeue>scheduled stack_finish>finished stack_error>finished cancel>canceled expire>expired skip>skipped',
    assigned: 'accept>accepted requeue>scheduled lose_agent>scheduled cancel>canceled skip>skipped',
    accepted: 'start>running requeue>scheduled lose_agent>scheduled cancel>canceling skip>skipped',
    running: 'pass>finished fail>finished lose_agent>finished time_out>timing_out cancel>canceling',
    canceling: 'pass>canceled fail>canceled lose_agent>canceled force_stop>canceled',
    timing_out: 'pass>finished fail>timed_out lose_agent>timed_out force_stop>timed_out',
  },
  wait: {
    pending: 'wait>waiting wait_failed>waiting_failed pass>finished cancel>canceled skip>skipped break>broken',
    waiting: 'wait_failed>waiting_failed pass>finished cancel>canceled skip>skipped',
    waiting_failed: 'wait>waiting pass>finished',
  },
  block: {
    pending: 'wait>waiting block>blocked block_failed>blocked_failed cancel>canceled skip>skipped break>broken',
    waiting: 'block>blocked block_failed>blocked_failed cancel>canceled skip>skipped',
    blocked: 'wait>waiting block_failed>blocked_failed unblock>unblocked cancel>canceled skip>skipped',
    blocked_failed: 'wait>waiting block>blocked',
  },
  trigger: {
    pending:
      'wait>waiting block>blocked wait_failed>waiting_failed block_failed>blocked_failed schedule>scheduled cancel>canceled skip>skipped break>broken',
    waiting:
      'block>blocked wait_failed>waiting_failed block_failed>blocked_failed schedule>scheduled cancel>canceled skip>skipped',
    blocked:
      'wait>waiting wait_failed>waiting_failed block_failed>blocked_failed schedule>scheduled cancel>canceled skip>skipped',
    waiting_failed: 'wait>waiting block>blocked block_failed>blocked_failed schedule>scheduled',
    blocked_failed: 'wait>waiting block>blocked wait_failed>waiting_failed schedule>scheduled',
    scheduled: 'start>running pass>finished fail>finished cancel>canceled skip>skipped',
    running: 'pass>finished fail>finished cancel>canceled skip>skipped',
  },
};

describe.each(jobTypes)('transitions of a %s job', (type) => {
  test.each(jobStates.map((state) => [state]))('a job in %s follows the transition table for every event', (state) => {
    const moves = jobEvents.flatMap((event) => {
      const result = transition(type, state, event);
      return result.kind === 'moved' ? [`${event}>${result.to}`] : [];
    });
    const words = expected[type === 'input' ? 'block' : type][state]?.split(' ') ?? [];
    expect([...moves].sort()).toEqual([...words].sort());
  });

  test('repeating an event is accepted exactly in the states that the event leads to', () => {
    for (const state of jobStates) {
      for (const event of jobEvents) {
        const moves = jobTransitions[type][event] ?? {};
        const kind = transition(type, state, event).kind;
        if (moves[state] === undefined) expect(kind).toBe(Object.values(moves).includes(state) ? 'already' : 'refused');
      }
    }
  });

  test('terminal states never change (I4)', () => {
    for (const state of jobStates.filter(isTerminal)) {
      for (const event of jobEvents) expect(transition(type, state, event).kind).not.toBe('moved');
    }
  });

  test('every reachable state that is not terminal can be left by some event', () => {
    const reachable = new Set<JobState>(['pending']);
    for (const state of reachable) {
      for (const event of jobEvents) {
        const result = transition(type, state, event);
        if (result.kind === 'moved') reachable.add(result.to);
      }
    }
    for (const state of reachable) {
      const leaves = jobEvents.some((event) => transition(type, state, event).kind === 'moved');
      expect(leaves).toBe(!isTerminal(state));
    }
  });
});

test('a refused event names the job type, the state and the event', () => {
  expect(transition('command', 'waiting', 'start')).toEqual({
    kind: 'refused',
    reason: 'A command job in state waiting does not take the event start',
  });
});

test('every job state is exactly one of undecided, live and terminal', () => {
  for (const state of jobStates) {
    expect([isUndecided(state), isLive(state), isTerminal(state)].filter(Boolean)).toHaveLength(1);
    if (isActive(state) || isQueued(state)) expect(isLive(state)).toBe(true);
    if (isTerminal(state)) expect(isSettled(state)).toBe(true);
  }
});

test.each<[JobType, JobState, JobState | null]>([
  ['command', 'waiting', 'canceled'],
  ['command', 'scheduled', 'canceled'],
  ['command', 'assigned', 'canceled'],
  ['command', 'accepted', 'canceling'],
  ['command', 'running', 'canceling'],
  ['command', 'canceling', null],
  ['command', 'timing_out', null],
  ['command', 'waiting_failed', null],
  ['command', 'finished', null],
  ['trigger', 'running', 'canceled'],
  ['wait', 'waiting', 'canceled'],
  ['block', 'blocked', 'canceled'],
  ['block', 'unblocked', null],
])('canceling a %s job in state %s leads to %s', (type, state, to) => {
  const move = transition(type, state, 'cancel');
  expect(move.kind === 'moved' ? move.to : null).toBe(to);
});

test('only a block or input job that is blocked can be unblocked', () => {
  expect(isUnblockable('block', 'blocked')).toBe(true);
  expect(isUnblockable('input', 'waiting')).toBe(false);
  expect(isUnblockable('command', 'blocked')).toBeNull();
});

test.each<[JobType, JobState, boolean | null, string]>([
  ['command', 'finished', true, 'passed'],
  ['command', 'finished', false, 'failed'],
  ['wait', 'finished', null, 'passed'],
  ['command', 'limiting', null, 'scheduled'],
  ['command', 'limited', null, 'scheduled'],
  ['command', 'timed_out', null, 'timed_out'],
  ['block', 'unblocked', null, 'unblocked'],
])('a %s job in state %s (passed %s) is %s in REST', (type, state, passed, rest) => {
  expect(restJobState({ type, state, passed })).toBe(rest);
});

test('every job event occurs in the transitions of some job type', () => {
  const known = new Set<JobEvent>(jobTypes.flatMap((type) => Object.keys(jobTransitions[type]) as JobEvent[]));
  expect([...known].sort()).toEqual([...jobEvents].sort());
});
