import fc from 'fast-check';
import { isShownInPlace, mediaType, splitArtifactPath } from '../../src/domain/artifact-path.js';
import { type ArtifactEvent, artifactEvents, type ArtifactState, artifactStates, artifactTransition } from '../../src/domain/artifact-state.js';
import { jobListStates, readJobListStates } from '../../src/domain/job-list-states.js';
import { jobStates } from '../../src/domain/job-state.js';
import { failureKind, failureKinds, readFailureKinds } from '../../src/domain/retry-failed.js';

describe('the states of an artifact', () => {
  test.each<[ArtifactState, ArtifactEvent, string]>([
    ['new', 'finish', 'finished'], ['new', 'fail', 'error'], ['new', 'delete', 'deleted'],
    ['finished', 'finish', 'already'], ['finished', 'fail', 'refused'], ['finished', 'delete', 'deleted'],
    ['error', 'finish', 'refused'], ['error', 'fail', 'already'], ['error', 'delete', 'deleted'],
    ['deleted', 'finish', 'already'], ['deleted', 'fail', 'already'], ['deleted', 'delete', 'already'],
    ['expired', 'finish', 'refused'], ['expired', 'fail', 'refused'], ['expired', 'delete', 'deleted'],
  ])('%s, %s: %s', (state, event, outcome) => {
    const move = artifactTransition(state, event);
    expect(move.kind === 'moved' ? move.to : move.kind).toBe(outcome);
  });

  test('nothing brings a deleted one back', () => {
    fc.assert(fc.property(fc.constantFrom(...artifactStates), fc.array(fc.constantFrom(...artifactEvents)), (start, events) => {
      let state: ArtifactState = start;
      for (const event of events) {
        const move = artifactTransition(state, event);
        if (move.kind !== 'moved') continue;
        expect(state).not.toBe('deleted');
        state = move.to;
      }
    }));
  });
});

test.each([
  ['lhm.log', '.', 'lhm.log'], ['dist/app.js', 'dist', 'app.js'], ['a/b/c', 'a/b', 'c'], ['/abs', '/', 'abs'], ['odd/', 'odd', ''],
])('%s lies in %s as %s', (path, dirname, filename) => expect(splitArtifactPath(path)).toEqual({ dirname, filename }));

test.each([
  ['text/plain', 'text/plain'], [' text/html; charset=utf-8 ', 'text/html; charset=utf-8'], ['', 'application/octet-stream'], [null, 'application/octet-stream'],
  ['text', 'application/octet-stream'], ['text/plain\r\nX: y', 'application/octet-stream'], ['text/plain; x=\u00e9', 'application/octet-stream'], [`text/${'x'.repeat(300)}`, 'application/octet-stream'],
])('the media type %j is taken as %s', (given, type) => expect(mediaType(given)).toBe(type));

test.each([
  ['text/plain; charset=utf-8', true], ['image/png', true], ['application/pdf', true], ['video/mp4', true], ['application/json', true],
  ['text/html', false], ['image/svg+xml', false], ['IMAGE/SVG+XML', false], ['text/javascript', false], ['application/octet-stream', false], ['application/xml', false],
])('%s is shown in place: %s', (type, shown) => expect(isShownInPlace(type)).toBe(shown));

describe('jobs that failed', () => {
  const job = { type: 'command', state: 'finished', passed: false, softFailed: false } as const;
  test.each([
    [{}, 'failed'], [{ softFailed: true }, 'soft_failed'], [{ passed: true }, null], [{ state: 'timed_out' }, 'timed_out'], [{ state: 'canceled' }, 'canceled'],
    [{ state: 'expired' }, 'expired'], [{ state: 'running' }, null], [{ state: 'broken' }, null], [{ state: 'scheduled' }, null],
  ] as const)('%j is %s', (fields, kind) => expect(failureKind({ ...job, ...fields })).toBe(kind));

  test.each<[string | string[] | null, string[]]>([
    ['failed,soft_failed', ['failed', 'soft_failed']], ['failed, timed_out', ['failed', 'timed_out']], [['expired'], ['expired']], ['', [...failureKinds]], [null, [...failureKinds]], [[], [...failureKinds]],
  ])('%j names %j', (given, kinds) => expect(readFailureKinds(given)).toEqual({ kinds: new Set(kinds) }));

  test('another word is told', () => expect(readFailureKinds('failed,broken')).toEqual({ unknown: 'broken' }));
});

describe('the words of a job list', () => {
  test('find a stored state each, and the ends of jobs by how they ended', () => {
    for (const word of jobListStates) {
      const read = readJobListStates([word]);
      expect('unknown' in read ? [] : [...read.states, ...(['passed', 'failed', 'running'] as const).filter((name) => read[name])]).not.toEqual([]);
    }
    expect(readJobListStates(['passed', 'scheduled', 'limited'])).toEqual({ states: ['scheduled', 'limiting', 'limited', 'reserved'], passed: true, failed: false, running: false });
  });

  test('reach every stored state', () => {
    const reached = new Set(jobListStates.flatMap((word) => {
      const read = readJobListStates([word]);
      return 'unknown' in read ? [] : [...read.states, ...(read.running ? ['running'] : []), ...(read.passed || read.failed ? ['finished'] : [])];
    }));
    expect([...reached].sort()).toEqual([...jobStates].sort());
  });

  test('are refused where they are none, `finished` too', () => {
    expect(readJobListStates(['passed', 'finished'])).toEqual({ unknown: 'finished' });
    expect(readJobListStates(['toString'])).toEqual({ unknown: 'toString' });
  });
});
