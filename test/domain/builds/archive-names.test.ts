import fc from 'fast-check';
import {
  ArchiveNames,
  archiveFolderOf,
  isCompressible,
  safeArchiveName,
} from '../../../src/domain/builds/archive-names.js';

describe('the name of an artifact in an archive', () => {
  test.each([
    ['dist/a.txt', 'dist/a.txt'],
    ['/etc/passwd', 'etc/passwd'],
    ['../../etc/passwd', 'etc/passwd'],
    ['a/./b//c/../d', 'a/b/c/d'],
    ['C:\\work\\a.txt', 'C_/work/a.txt'],
    ['..\\..\\a', 'a'],
    ['a\u0000b\nc\u007f', 'a_b_c_'],
    ['...', '...'],
    ['..', 'artifact'],
    ['', 'artifact'],
    ['///', 'artifact'],
    ['a\ud800', 'a\ufffd'],
  ])('of %j is %j', (path, name) => expect(safeArchiveName(path)).toBe(name));

  test('never leaves the folder it is unpacked into, whatever the path is', () => {
    const parts = fc.constantFrom('..', '.', '/', '\\', 'C:', 'a', '', '\u0000', '..\\', 'é');
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 80 }).map((some) => some.join('')),
        (path) => {
          const name = safeArchiveName(path);
          expect(name).not.toMatch(/^\/|\\|:|\p{Cc}/u);
          expect(name.split('/').filter((part) => ['', '.', '..'].includes(part))).toEqual([]);
          expect(name.split('/').length).toBeLessThanOrEqual(33);
        },
      ),
    );
  });

  test('is that of the job where it is taken, then numbered; also for letters of another case and for folders', () => {
    const names = new ArchiveNames();
    const folder = archiveFolderOf({
      label: ':rocket: Deploy to ../prod!',
      jobId: '0190aaaa-0000-7000-8000-123456789abc',
    });
    expect(folder).toBe('rocket-Deploy-to-prod-123456789abc');
    expect(
      ['a/b.txt', 'a/B.TXT', 'a/b.txt', 'a', 'a/b.txt/c', '../a/b.txt'].map((path) => names.nameOf(path, folder)),
    ).toEqual([
      'a/b.txt',
      `${folder}/a/B.TXT`,
      `${folder} (2)/a/b.txt`,
      `${folder} (3)/a`,
      `${folder} (4)/a/b.txt/c`,
      `${folder} (5)/a/b.txt`,
    ]);
    expect(archiveFolderOf({ label: null, jobId: 'x'.repeat(36) })).toBe(`job-${'x'.repeat(12)}`);
  });

  test('no two are the same', () => {
    const path = fc
      .array(fc.constantFrom('a', 'A', 'b', 'á', 'a\u0301'), { minLength: 1, maxLength: 3 })
      .map((some) => some.join('/'));
    fc.assert(
      fc.property(fc.array(path, { maxLength: 30 }), fc.constantFrom('a', 'j'), (paths, folder) => {
        const names = new ArchiveNames();
        const all = paths.map((each) => names.nameOf(each, folder).normalize('NFC').toLowerCase());
        expect(new Set(all).size).toBe(all.length);
        for (const one of all) expect(all.some((other) => other.startsWith(`${one}/`))).toBe(false);
      }),
    );
  });
});

test('thousands of files of one name, and of the names that those get, are named in a moment', () => {
  const names = new ArchiveNames();
  const begun = performance.now();
  for (let number = 0; number < 3_000; number += 1) names.nameOf(`job (${number})`, 'other');
  for (let number = 0; number < 3_000; number += 1) names.nameOf('job/same', 'job');
  expect(names.nameOf('job/same', 'job')).toMatch(/^job \(\d+\)\/job\/same$/);
  expect(performance.now() - begun).toBeLessThan(2_000);
});

test.each([
  ['text/plain; charset=utf-8', true],
  ['application/json', true],
  ['application/vnd.api+json', true],
  ['image/svg+xml', true],
  ['image/png', false],
  ['application/zip', false],
  ['application/octet-stream', false],
])('files of type %s are worth compressing: %s', (type, worth) => expect(isCompressible(type)).toBe(worth));
