import { readFileSync } from 'node:fs';
import { byteLength, limits } from '../../../src/domain/limits/limits.js';
import { tagProblems } from '../../../src/domain/pipelines/pipeline-tags.js';

test('limits are frozen positive integers', () => {
  expect(Object.isFrozen(limits)).toBe(true);
  for (const value of Object.values(limits)) {
    expect(Number.isSafeInteger(value)).toBe(true);
    expect(value).toBeGreaterThan(0);
  }
});

test('the limits that the specification fixes have its values', () => {
  expect(limits).toMatchObject({
    perPageDefault: 30,
    perPageMax: 100,
    connectionMax: 500,
    slugLength: 100,
    jobsPerBuild: 4000,
    jobsPerUpload: 500,
    uploadsPerBuild: 500,
    logBytes: 1_073_741_824,
    metaDataValueBytes: 102_400,
    annotationBodyBytes: 1_048_576,
    annotationContextLength: 100,
    annotationPriorityDefault: 3,
    idempotencyKeyLength: 255,
    tagsPerPipeline: 10,
    tagLength: 128,
  });
});

test('text length is counted in bytes of UTF-8', () =>
  expect([byteLength('a'), byteLength('é'), byteLength('😀')]).toEqual([1, 2, 4]));

test.each<[string[], { index: number | null; message: RegExp }[]]>([
  [[], []],
  [['a', ':rocket: b', 'A'], []],
  [['x'.repeat(128), '😀'.repeat(128)], []],
  [['a', 'b', 'a'], [{ index: 2, message: /twice/ }]],
  [
    ['x'.repeat(129), ' '],
    [
      { index: 0, message: /128/ },
      { index: 1, message: /blank/ },
    ],
  ],
  [Array.from({ length: 11 }, (_, i) => `t${i}`), [{ index: null, message: /more than 10/ }]],
])('pipeline tags are checked for number, length, blanks and repetition (row %#)', (tags, problems) => {
  expect(tagProblems(tags)).toEqual(
    problems.map(({ index, message }) => ({ index, message: expect.stringMatching(message) })),
  );
});

test('docs/limits.md names every limit with its value, and no other', () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| ([\d,]+)/gm)].map(([, name = '', value = '']) => [
    name,
    Number(value.replaceAll(',', '')),
  ]);
  expect(Object.fromEntries(rows)).toEqual(limits);
});
