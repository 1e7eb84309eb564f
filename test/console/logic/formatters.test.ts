import { describe, expect, test } from 'vitest';
import { nodeId, localPath } from '../../../src/console/relay/nodes';
import { artifactTree, reportAddress, sameOrigin } from '../../../src/console/pages/build/side/artifact-tree';
import { sizeText } from '../../../src/console/ui/size-text';
import { plainLabel } from '../../../src/console/pages/build/steps/job-view';
import { enumText, subjectName } from '../../../src/console/pages/organization/audit-texts';
import { secondsText } from '../../../src/console/pages/suites/seconds-text';
import { isLively, jobOutcome, lookOf } from '../../../src/console/ui/state-tone';
import { durationText, relativeText } from '../../../src/console/ui/time-text';

describe('how the console says', () => {
  test.each([
    [-1, '0s'],
    [0, '0s'],
    [59_400, '59s'],
    [60_000, '1m'],
    [200_000, '3m 20s'],
    [7_500_000, '2h 5m'],
    [48 * 3_600_000, '2d 0h'],
    [99 * 3_600_000, '4d 3h'],
  ])('a duration of %i milliseconds: %s', (milliseconds, text) => {
    expect(durationText(milliseconds)).toBe(text);
  });

  test.each([
    [0, 'just now'],
    [-9_000, 'just now'],
    [-10_000, '10 seconds ago'],
    [-60_000, '1 minute ago'],
    [-3_599_000, '59 minutes ago'],
    [2 * 3_600_000, 'in 2 hours'],
    [-86_400_000, 'yesterday'],
    [-8 * 86_400_000, 'last week'],
    [-400 * 86_400_000, 'last year'],
  ])('a time %i milliseconds from now: %s', (distance, text) => {
    const now = Date.parse('2026-03-01T12:00:00Z');
    expect(relativeText(now + distance, now)).toBe(text);
  });

  test.each([
    [null, ''],
    [0, '0 ms'],
    [0.0124, '12 ms'],
    [3.4, '3.40 s'],
  ])('the %s seconds of a test: "%s"', (seconds, text) => {
    expect(secondsText(seconds)).toBe(text);
  });

  test.each([
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [3_449_000, '3.4 MB'],
    [5e15, '5000.0 TB'],
  ])('%i bytes: %s', (bytes, text) => {
    expect(sizeText(bytes)).toBe(text);
  });

  test('a value of an enumeration: in small letters, with spaces', () => {
    expect(enumText('TEAM_MEMBER')).toBe('team member');
  });

  test.each([
    ['acme/deploy', 'deploy'],
    ['other/deploy', 'other/deploy'],
    ['acme', 'acme'],
    [null, ''],
  ])('the subject %s of an event of acme: "%s"', (name, text) => {
    expect(subjectName(name, 'acme')).toBe(text);
  });

  test('the label of a job: without its emoji codes', () => {
    expect(plainLabel(':rocket: Deploy')).toBe('Deploy');
    expect(plainLabel(null)).toBe('');
  });
});

describe('the look of a state', () => {
  test('a finished job looks like its outcome', () => {
    expect(jobOutcome({ state: 'RUNNING', passed: true })).toBe('RUNNING');
    expect(jobOutcome({ state: 'FINISHED', passed: true })).toBe('PASSED');
    expect(jobOutcome({ state: 'FINISHED', passed: false, softFailed: true })).toBe('SOFT_FAILED');
    expect(jobOutcome({ state: 'FINISHED', passed: false })).toBe('FAILED');
  });

  test('a state that the console does not know looks like waiting, and only running states move', () => {
    expect(lookOf('A_STATE_OF_NEXT_YEAR')).toEqual(lookOf('SCHEDULED'));
    expect(isLively(lookOf('RUNNING'))).toBe(true);
    expect(isLively(lookOf('PASSED'))).toBe(false);
  });
});

describe('an address', () => {
  const plainFile = {
    id: 'a',
    uuid: 'a',
    path: 'a',
    size: 1,
    mimeType: '',
    state: 'FINISHED',
    downloadURL: '',
    reportURL: null,
  };
  test('of this installation is a path within the console', () => {
    expect(localPath('https://ci.example.com/acme/app/builds/1?tab=events#job')).toBe(
      '/acme/app/builds/1?tab=events#job',
    );
  });

  test('of a file is a path when this server sends it, and as it is when an object storage does', () => {
    expect(sameOrigin('https://ci.example.com/files/a?signature=b')).toBe('/files/a?signature=b');
    expect(sameOrigin('https://storage.example.com/bucket/a')).toBe('https://storage.example.com/bucket/a');
  });

  test('of a report is a path on the host of the files, and as it is on a host of its own', () => {
    const at = (reportURL: string | null) =>
      reportAddress({ ...plainFile, downloadURL: 'https://ci.example.com/files/artifacts/a', reportURL });
    expect(at('https://ci.example.com/files/reports/t/a.html')).toBe('/files/reports/t/a.html');
    expect(at('https://reports.example.com/files/reports/t/a.html')).toBe(
      'https://reports.example.com/files/reports/t/a.html',
    );
    expect(at(null)).toBeNull();
  });

  test('that names a thing by its UUID leads to its GraphQL ID', () => {
    expect(atob(nodeId('Agent', '0193'))).toBe('Agent---0193');
  });

  test('of artifacts makes a tree of folders', () => {
    const file = (path: string) => ({ ...plainFile, id: path, path });
    const tree = artifactTree(['a.txt', 'report/a.html', 'report/units/b.txt', '/report/c.txt'].map(file));
    expect(tree.files.map(({ path }) => path)).toEqual(['a.txt']);
    const report = tree.folders.get('report');
    expect(report?.files.map(({ path }) => path)).toEqual(['report/a.html', '/report/c.txt']);
    expect([...(report?.folders.keys() ?? [])]).toEqual(['units']);
  });
});
