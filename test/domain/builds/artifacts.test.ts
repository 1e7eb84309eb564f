import fc from 'fast-check';
import { isShownInPlace, mediaType, splitArtifactPath } from '../../../src/domain/builds/artifact-path.js';
import {
  type ArtifactEvent,
  artifactEvents,
  type ArtifactState,
  artifactStates,
  artifactTransition,
} from '../../../src/domain/builds/artifact-state.js';
import { jobListStates, readJobListStates } from '../../../src/domain/builds/job-list-states.js';
import { jobStates } from '../../../src/domain/builds/job-state.js';
import { failureKind, failureKinds, readFailureKinds } from '../../../src/domain/builds/retry-failed.js';

describe('artifact states', () => {
  test.each<[ArtifactState, ArtifactEvent, string]>([
    ['new', 'finish', 'finished'],
    ['new', 'fail', 'error'],
    ['new', 'delete', 'deleted'],
    ['finished', 'finish', 'already'],
    ['finished', 'fail', 'refused'],
    ['finished', 'delete', 'deleted'],
    ['error', 'finish', 'refused'],
    ['error', 'fail', 'already'],
    ['error', 'delete', 'deleted'],
    ['deleted', 'finish', 'already'],
    ['deleted', 'fail', 'already'],
    ['deleted', 'delete', 'already'],
    ['expired', 'finish', 'refused'],
    ['expired', 'fail', 'refused'],
    ['expired', 'delete', 'deleted'],
  ])('for an artifact in state %s the event %s has the outcome %s', (state, event, outcome) => {
    const move = artifactTransition(state, event);
    expect(move.kind === 'moved' ? move.to : move.kind).toBe(outcome);
  });

  test('no event brings a deleted artifact back', () => {
    fc.assert(
      fc.property(fc.constantFrom(...artifactStates), fc.array(fc.constantFrom(...artifactEvents)), (start, events) => {
        let state: ArtifactState = start;
        for (const event of events) {
          const move = artifactTransition(state, event);
          if (move.kind !== 'moved') continue;
          expect(state).not.toBe('deleted');
          state = move.to;
        }
      }),
    );
  });
});

test.each([
  ['lhm.log', '.', 'lhm.log'],
  ['dist/app.js', 'dist', 'app.js'],
  ['a/b/c', 'a/b', 'c'],
  ['/abs', '/', 'abs'],
  ['odd/', 'odd', ''],
])('the path %s has the folder %s and the file name %s', (path, dirname, filename) =>
  expect(splitArtifactPath(path)).toEqual({ dirname, filename }),
);

test.each([
  ['text/plain', 'text/plain'],
  [' text/html; charset=utf-8 ', 'text/html; charset=utf-8'],
  ['', 'application/octet-stream'],
  [null, 'application/octet-stream'],
  ['text', 'application/octet-stream'],
  ['text/plain\r\nX: y', 'application/octet-stream'],
  ['text/plain; x=\u00e9', 'application/octet-stream'],
  [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
])('the media type %j is read as %s', (given, type) => expect(mediaType(given)).toBe(type));

test.each([
  ['text/plain; charset=utf-8', true],
  ['image/png', true],
  ['application/pdf', true],
  ['video/mp4', true],
  ['application/json', true],
  ['text/html', false],
  ['image/svg+xml', false],
  ['IMAGE/SVG+XML', false],
  ['text/javascript', false],
  ['application/octet-stream', false],
  ['application/xml', false],
])('whether the media type %s is displayed in the browser is answered %s', (type, shown) =>
  expect(isShownInPlace(type)).toBe(shown),
);

describe('failure kinds of jobs', () => {
  const job = { type: 'command', state: 'finished', passed: false, softFailed: false } as const;
  test.each([
    [{}, 'failed'],
    [{ softFailed: true }, 'soft_failed'],
    [{ passed: true }, null],
    [{ state: 'timed_out' }, 'timed_out'],
    [{ state: 'canceled' }, 'canceled'],
    [{ state: 'expired' }, 'expired'],
    [{ state: 'running' }, null],
    [{ state: 'broken' }, null],
    [{ state: 'scheduled' }, null],
  ] as const)('a job with %j has the failure kind %s', (fields, kind) =>
    expect(failureKind({ ...job, ...fields })).toBe(kind),
  );

  test.each<[string | string[] | null, string[]]>([
    ['failed,soft_failed', ['failed', 'soft_failed']],
    ['failed, timed_out', ['failed', 'timed_out']],
    [['expired'], ['expired']],
    ['', [...failureKinds]],
    [null, [...failureKinds]],
    [[], [...failureKinds]],
  ])('the failure kinds %j are read as %j', (given, kinds) =>
    expect(readFailureKinds(given)).toEqual({ kinds: new Set(kinds) }),
  );

  test('an unknown failure kind is reported', () =>
    expect(readFailureKinds('failed,broken')).toEqual({ unknown: 'broken' }));
});

describe('the state filter of a job list', () => {
  test('each state of a job list selects a stored state, and passed and failed select finished jobs by result', () => {
    for (const word of jobListStates) {
      const read = readJobListStates([word]);
      expect(
        'unknown' in read
          ? []
          : [...read.states, ...(['passed', 'failed', 'running'] as const).filter((name) => read[name])],
      ).not.toEqual([]);
    }
    expect(readJobListStates(['passed', 'scheduled', 'limited'])).toEqual({
      states: ['limiting', 'limited', 'scheduled', 'reserved'],
      passed: true,
      failed: false,
      running: false,
    });
  });

  test('the states of a job list select every stored state', () => {
    const reached = new Set(
      jobListStates.flatMap((word) => {
        const read = readJobListStates([word]);
        return 'unknown' in read
          ? []
          : [...read.states, ...(read.running ? ['running'] : []), ...(read.passed || read.failed ? ['finished'] : [])];
      }),
    );
    expect([...reached].sort()).toEqual([...jobStates].sort());
  });

  test('unknown state words of a job list are refused, `finished` included', () => {
    expect(readJobListStates(['passed', 'finished'])).toEqual({ unknown: 'finished' });
    expect(readJobListStates(['toString'])).toEqual({ unknown: 'toString' });
  });
});
