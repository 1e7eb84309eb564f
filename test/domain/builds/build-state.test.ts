import {
  acceptsPipelineUpload,
  buildCancelProblem,
  buildEventBetween,
  buildEvents,
  buildStates,
  buildTransitions,
  expandBuildStateFilter,
  isBuildFinished,
  isBuildRebuildable,
  isBuildStopped,
  restBuildState,
  transitionBuild,
  type BuildState,
} from '../../../src/domain/builds/build-state.js';

/** Every legal move, by state as people read it. */
const expected: Record<BuildState, string> = {
  creating:
    'process>scheduled block>blocked begin_failing>failing fail>failed not_run>not_run skip>skipped stop>canceled',
  scheduled:
    'start>running block>blocked begin_failing>failing pass>passed fail>failed not_run>not_run skip>skipped cancel>canceling stop>canceled',
  running: 'block>blocked begin_failing>failing pass>passed fail>failed cancel>canceling stop>canceled',
  blocked: 'resume>running begin_failing>failing pass>passed fail>failed cancel>canceling stop>canceled',
  failing: 'block>blocked recover>running fail>failed cancel>canceling stop>canceled',
  canceling: 'stop>canceled',
  passed: 'reopen>running',
  failed: 'begin_failing>failing reopen>running',
  canceled: '',
  skipped: '',
  not_run: '',
};

describe('build transitions', () => {
  test.each(buildStates.map((state) => [state]))(
    'a build in %s follows the transition table for every event',
    (state) => {
      const moves = buildEvents.flatMap((event) => {
        const result = transitionBuild(state, event);
        return result.kind === 'moved' ? [`${event}>${result.to}`] : [];
      });
      expect(moves.sort()).toEqual(expected[state].split(' ').filter(Boolean).sort());
    },
  );

  test('repeating an event is accepted exactly in the states that the event leads to', () => {
    for (const event of buildEvents) {
      for (const state of buildStates) {
        const moves = buildTransitions[event];
        const kind =
          moves[state] !== undefined ? 'moved' : Object.values(moves).includes(state) ? 'already' : 'refused';
        expect(transitionBuild(state, event).kind).toBe(kind);
      }
    }
  });

  test('at most one event leads from one build state to another, and buildEventBetween returns it', () => {
    for (const before of buildStates) {
      for (const after of buildStates) {
        const events = buildEvents.filter((event) => buildTransitions[event][before] === after);
        expect(events.length).toBeLessThanOrEqual(1);
        expect(buildEventBetween(before, after)).toBe(events[0] ?? null);
      }
    }
  });
});

test.each<[BuildState, boolean, string | null]>([
  ['creating', false, null],
  ['scheduled', false, null],
  ['running', false, null],
  ['failing', false, null],
  ['blocked', false, null],
  ['canceling', false, "Build can't be canceled because it's already being canceled."],
  ...(['passed', 'failed', 'canceled', 'skipped', 'not_run'] as const).map((state): [BuildState, boolean, string] => [
    state,
    true,
    "Build can't be canceled because it's already finished.",
  ]),
])('for a build in state %s isBuildFinished is %s and buildCancelProblem is %s', (state, finished, problem) => {
  expect(isBuildFinished(state)).toBe(finished);
  expect(buildCancelProblem(state)).toBe(problem);
});

test('a build accepts uploads while running or failing, is stopped when canceled or skipped, and can be rebuilt once created', () => {
  expect(buildStates.filter(acceptsPipelineUpload)).toEqual(['running', 'failing']);
  expect(buildStates.filter(isBuildStopped)).toEqual(['canceling', 'canceled', 'skipped']);
  expect(buildStates.filter((state) => !isBuildRebuildable(state))).toEqual(['creating']);
});

test('REST shows a blocked build in the state of its block', () => {
  expect(restBuildState({ state: 'blocked', blockedState: 'failed' })).toBe('failed');
  expect(restBuildState({ state: 'blocked', blockedState: null })).toBe('passed');
  expect(restBuildState({ state: 'running', blockedState: null })).toBe('running');
});

test('the state filter `finished` selects four states', () => {
  expect(expandBuildStateFilter(['finished', 'running', 'passed'])).toEqual({
    states: ['passed', 'failed', 'blocked', 'canceled', 'running'],
  });
  expect(expandBuildStateFilter(['creating', 'not_run'])).toEqual({ states: ['creating', 'not_run'] });
  expect(expandBuildStateFilter(['running', 'started'])).toEqual({ unknown: 'started' });
});
