import fc from 'fast-check';
import {
  type Extract,
  extractFrom,
  finishExtract,
  mostExtractBytes,
  mostExtractLines,
  nothingFound,
} from '../../../../src/domain/builds/failures/extract.js';
import { addHashes, HashesOfLog, lineHash } from '../../../../src/domain/builds/failures/line-hashes.js';
import { maskedLine } from '../../../../src/domain/builds/failures/masked-line.js';

const none = new Uint8Array();
const bytes = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));

const hashesOf = (lines: readonly string[]) => {
  const hashes = addHashes(none, bytes(lines), 50_000);
  if (!hashes) throw new Error('too many lines');
  return hashes;
};

function extract(
  lines: readonly string[],
  passed: readonly (readonly string[])[] = [],
  command?: string,
): Extract | null {
  return finishExtract(
    extractFrom(nothingFound, { bytes: bytes(lines), command: command ?? null, passed: passed.map(hashesOf) }),
  );
}

const linesOf = (found: Extract | null) => found?.lines.map(({ line, text, kind }) => `${line} ${kind} ${text}`);

describe('what two runs have in common', () => {
  test.each([
    ['numbers and times', '2026-01-02T03:04:05Z took 12.5 s', '2025-11-30T23:00:01Z took 0.7 s'],
    ['hexadecimal numbers', 'at 0x7ffe12 of deadbeef01', 'at 0x10 of 0123456789abcdef'],
    ['addresses', 'GET https://a.example/x?y=1 failed', 'GET http://b.example failed'],
    ['long words', `token ${'a'.repeat(32)} taken`, `token ${'b'.repeat(50)} taken`],
    ['temporary files', 'cannot read /tmp/abc/x.txt', 'cannot read /var/tmp/zz'],
    ['folders of a machine', '/home/ci/builds/a-1/x.c: error', '/home/other/x.c: error'],
    ['days and months', 'Started on Monday, Jan 3', 'Started on Tue, December 24'],
    ['white space', 'a\t b', 'a b '],
    ['hardware addresses', 'link 00:1a:2b:3c:4d:5e is up', 'link ff:ff:ff:ff:ff:01 is up'],
  ])('does not depend on %s', (_what, one, other) => {
    expect(maskedLine(one)).toBe(maskedLine(other));
    expect(maskedLine(one)).not.toBe('');
    expect(lineHash(one)).toEqual(lineHash(other));
  });

  test.each([
    ['error: no such file', 'error: no such folder'],
    ['/home/ci/a.c: error', '/home/ci/b.c: error'],
    ['maybe', 'may be'],
  ])('%j is not %j', (one, other) => {
    expect(lineHash(one)).not.toEqual(lineHash(other));
  });

  test('a line without letters of its own has no hash', () => {
    expect(['', '   ', '12:30', '0x12 99', '----'].map(lineHash)).toEqual([null, null, null, null, null]);
  });

  test('masking takes time linear in the line', () => {
    const nasty = ['a', '/home/', '0x', 'f', 'ab:', '1', ' ', '/tmp', '-', 'http://'].map((part) =>
      part.repeat(1_000_000 / part.length),
    );
    const start = performance.now();
    for (const line of nasty) maskedLine(line);
    expect(performance.now() - start).toBeLessThan(1_000);
  });
});

describe('hashes of lines', () => {
  test('each is found and no other, whatever part of the log it was in', () => {
    const word = fc.stringMatching(/^[a-z ]{1,12}$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(word, { maxLength: 30 }), word, (one, other, asked) => {
        const both = addHashes(addHashes(none, bytes(one), 100) ?? none, bytes(other), 100) ?? none;
        const log = new HashesOfLog(both);
        const known = new Set([...one, ...other].map(maskedLine));
        for (const line of [...one, ...other]) {
          const hash = lineHash(line);
          if (hash) expect(log.has(hash)).toBe(true);
        }
        const hash = lineHash(asked);
        if (hash) expect(log.has(hash)).toBe(known.has(maskedLine(asked)));
        expect(both.length).toBe([...known].filter((line) => line !== '').length * 8);
      }),
    );
  });

  test('200,000 lines have as many hashes', () => {
    const name = (at: number) => at.toString().replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');
    const lines = Array.from({ length: 200_000 }, (_, at) => `case ${name(at)} of ${name(at % 7)}`);
    expect(addHashes(none, bytes(lines), 200_000)?.length).toBe(200_000 * 8);
  });

  test('beyond the most there are none', () => {
    const lines = ['one', 'two', 'three', 'two'];
    expect(addHashes(none, bytes(lines), 3)?.length).toBe(24);
    expect(addHashes(none, bytes(lines), 2)).toBeNull();
  });

  test('escape sequences and what a program wrote over are no part of a line', () => {
    expect(hashesOf(['\u001b_bk;t=1700000000000\u0007\u001b[1mred\u001b[0m line'])).toEqual(hashesOf(['red line']));
    expect(hashesOf(['half\rdone'])).toEqual(hashesOf(['done']));
  });
});

describe('the extract of a failed log', () => {
  const passed = ['build of a', 'compile 1 of 2', 'warning: error count 1 exceeded?', 'ok'];

  test('has the lines that no passed run has, and leaves out those that one has', () => {
    const lines = ['build of a', 'compile 7 of 9', 'main.c:3:1: error: expected ;', '    int x', 'ok'];
    expect(linesOf(extract(lines, [passed]))).toEqual([
      '2 failure_only main.c:3:1: error: expected ;',
      '3 failure_only     int x',
    ]);
  });

  test('compares with each of several passed runs', () => {
    const lines = ['one', 'two', 'error: three'];
    expect(linesOf(extract(lines, [['one'], ['two']]))).toEqual(['2 failure_only error: three']);
  });

  test('has lines that tell of an error where there is nothing to compare with', () => {
    const found = extract(['build of a', 'error: it broke', 'ok']);
    expect(linesOf(found)).toEqual(['1 error error: it broke']);
    expect(found?.decisive).toBe(0);
  });

  test('has what passed runs say too if the log says nothing else', () => {
    expect(linesOf(extract(['error: always', 'fine'], [['error: always', 'fine']]))).toEqual(['0 error error: always']);
  });

  test('has no lines of the command, and is none where nothing tells', () => {
    expect(extract(['$ make || echo error: no', 'fine'], [], 'make || echo error: no')).toBeNull();
    expect(extract(['fine'], [])).toBeNull();
    expect(extract([], [])).toBeNull();
  });

  test('a repeated line counts once', () => {
    expect(extract(Array.from({ length: 50 }, (_, at) => `error: attempt ${at}`))?.lines).toHaveLength(1);
  });

  test('is the same however the log is divided, and within its bounds', () => {
    const line = fc.oneof(
      fc.constantFrom(
        'error: a',
        'warn',
        'E   assert 1',
        'FAILED x.py::y',
        'ok',
        '',
        '  more',
        'Traceback (most recent call last):',
      ),
      fc.string({ maxLength: 700 }).map((text) => text.replace(/[\n\r]/g, ' ')),
      fc.stringMatching(/^error: [a-z]{1,600}€?$/u),
    );
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 120 }),
        fc.array(line, { maxLength: 20 }),
        fc.nat(120),
        (log, known, at) => {
          const sets = known.length > 0 ? [hashesOf(known)] : [];
          const part = (lines: readonly string[]) => ({ bytes: bytes(lines), command: null, passed: sets });
          const whole = finishExtract(extractFrom(nothingFound, part(log)));
          const divided = finishExtract(
            extractFrom(extractFrom(nothingFound, part(log.slice(0, at))), part(log.slice(at))),
          );
          expect(divided).toEqual(whole);
          const lines = whole?.lines ?? [];
          expect(lines.length).toBeLessThanOrEqual(mostExtractLines);
          expect(Buffer.byteLength(lines.map(({ text }) => text).join('\n'))).toBeLessThanOrEqual(mostExtractBytes);
          expect(lines.map((each) => each.line)).toEqual(lines.map((each) => each.line).toSorted((a, b) => a - b));
          if (whole?.cluster) expect(whole.cluster).toMatch(/^[0-9a-f]{32}$/);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('the cluster of a failure', () => {
  const cluster = (...lines: string[]) => extract(lines)?.cluster;

  test('is the same for runs that failed alike', () => {
    const one = cluster('2026-01-01 start', 'src/a.ts(3,7): error TS2322: Type string', 'exit status 1');
    expect(one).toMatch(/^[0-9a-f]{32}$/);
    expect(cluster('other', 'src/a.ts(9,1): error TS2322: Type string', 'more', 'exit status 2')).toBe(one);
    expect(cluster('src/b.ts(9,1): error TS2322: Type string')).not.toBe(one);
  });

  test.each([
    [
      'a trace of Python',
      ['Traceback (most recent call last):', '  File "x.py", line 3', 'KeyError: name'],
      'KeyError: name',
    ],
    ['make', ['main.c:12:5: error: expected ;', 'make: *** [all] Error 1'], 'main.c:12:5: error: expected ;'],
    ['an exit status', ['Process exited with code 3', 'error: no route'], 'error: no route'],
  ])('of %s is not of what all such failures have', (_what, lines, decisive) => {
    const found = extract(lines);
    expect(found?.lines[found.decisive ?? -1]?.text).toBe(decisive);
    expect(found?.cluster).toBe(cluster(decisive));
  });

  test('is none where a line without words of failure is all there is', () => {
    expect(extract(['new here'], [['old']])).toMatchObject({ cluster: null, decisive: null });
  });

  test.each([
    'Process exited with code 3',
    'Build step shell failed with exit code 1',
    'make: *** [all] Error 1',
    'The command "npm test" exited with 1.',
    'npm ERR! code ELIFECYCLE',
  ])('is none where %j is all that tells: jobs that ended alike need not have failed alike', (line) => {
    const found = extract(['started', line]);
    expect(linesOf(found)).toEqual([`1 error ${line}`]);
    expect(found).toMatchObject({ cluster: null, decisive: null });
  });

  test('is that of a vague line before the end of a command, which the extract keeps', () => {
    const found = extract(['module is missing', 'Process exited with code 3']);
    expect(linesOf(found)).toEqual(['0 error module is missing', '1 error Process exited with code 3']);
    expect(found).toMatchObject({ decisive: 0, cluster: cluster('module is missing') });
  });
});
