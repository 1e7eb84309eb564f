import fc from 'fast-check';
import { HeaderScanner, startOfLog, type HeaderScan } from '../../../../src/domain/builds/logs/header-scanner.js';
import { mergeHeaderTimes, nanoseconds, readHeaderTimes } from '../../../../src/domain/builds/logs/header-times.js';
import { JobLogJson } from '../../../../src/domain/builds/logs/json-form.js';
import { LogIndexer } from '../../../../src/domain/builds/logs/log-index.js';
import { EscapeStripper } from '../../../../src/domain/builds/logs/plain-text.js';
import { parseRange } from '../../../../src/domain/builds/logs/range.js';
import { isoTime } from '../../../../src/domain/builds/logs/timestamp-mark.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../../support/vectors.js';
import { cut, logBytes } from './arbitrary-logs.js';

const visible = (text: string) => new EscapeStripper().push(text);

function indexOf(lines: readonly string[]) {
  const indexer = new LogIndexer();
  indexer.push(Buffer.from(lines.join('\n')));
  return indexer.end();
}

function headers(text: string | Uint8Array): (bigint | null)[] {
  return new HeaderScanner().push(Buffer.from(text));
}

interface GroupCase {
  id: string;
  kind: string;
  lines?: string[];
  groups?: string[];
  input?: string;
  timestamp_ms?: number | null;
  is_group?: boolean;
}

describeWithVectors('the log line vectors', () => {
  const cases = vectorsPresent ? readVectors<{ cases: GroupCase[] }>('log-rendering/groups.json').cases : [];

  test('lines that begin a group are recognised, and their times read', () => {
    for (const { id, kind, input, timestamp_ms, is_group } of cases) {
      if (input === undefined || is_group === undefined) continue;
      const found = headers(`${input}\n`);
      expect([id, kind, found.length]).toEqual([id, kind, is_group ? 1 : 0]);
      if (is_group && timestamp_ms != null) expect([id, found]).toEqual([id, [BigInt(timestamp_ms) * 1_000_000n]]);
    }
  });

  test('every line belongs to the expected group', () => {
    for (const { id, lines, groups: expected } of cases) {
      if (!lines) continue;
      const { groups } = indexOf(lines);
      const headerOf = (index: number) => lines[groups.findLast(({ line }) => line <= index)?.line ?? -1] ?? '';
      expect([id, lines.map((_, index) => visible(headerOf(index)))]).toEqual([id, expected]);
    }
  });

  test('third-party inputs give the expected plain text', () => {
    const { cases: all } = readVectors<{ cases: { id: string; input: string; expected_plain_text?: string }[] }>(
      'log-rendering/third-party.json',
    );
    for (const { id, input, expected_plain_text } of all) {
      if (expected_plain_text !== undefined) expect([id, visible(input)]).toEqual([id, expected_plain_text]);
    }
  });
});

describe('log groups', () => {
  test.each([
    ['--- Build', true],
    ['+++ Test', true],
    ['~~~ Setup', true],
    ['\u001b[90m\u001b[K--- Build', true],
    ['---\u001b[0m Build', true],
    ['---\tBuild', true],
    ['---', false],
    ['---\r', false],
    ['---Build', false],
    [' --- Build', false],
    ['---- Build', false],
    ['^^^ +++', false],
    ['\u001b[2J--- Build', false],
  ])('that the line %j begins a group is %j for the index and for the header scanner', (line, begins) => {
    const lines = ['before', line, 'after'];
    expect(indexOf(lines).groups.map((group) => group.line)).toEqual(begins ? [1] : []);
    expect(headers(lines.join('\n'))).toHaveLength(begins ? 1 : 0);
  });

  test('only +++ opens a group, and ^^^ +++ opens the group before it', () => {
    const open = (...lines: string[]): boolean[] => indexOf(lines).groups.map((group) => group.open);
    expect(open('--- a', '^^^ +++', '--- b')).toEqual([true, false]);
    expect(open('--- a', '+++ b', '~~~ c')).toEqual([false, true, false]);
    expect(open('+++ a', '--- b', '^^^ +++')).toEqual([true, true]);
    expect(open('^^^ +++', 'x')).toEqual([]);
  });
});

describe('header times', () => {
  const t = (ms: number): string => `\u001b_bk;t=${ms}\u0007`;

  test('header times come from the timestamp marks of header lines, deltas included', () => {
    expect(
      headers(
        `${t(1000)}x\n${t(2000)}--- a\n\u001b_bk;dt=5\u0007y \u001b_bk;dt=5\u0007z\n\u001b_bk;dt=90\u0007+++ b\n`,
      ),
    ).toEqual([2_000_000_000n, 2_100_000_000n]);
  });

  test('a header without a mark or with a malformed mark has no time', () => {
    expect(headers(`${t(1000)}x\n--- a\n\u001b_bk;t=soon\u0007--- b\n\u001b_other\u0007--- c\n`)).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('a mark that never ends affects only its own line', () => {
    expect(headers(`\u001b_bk;t=${'1'.repeat(500)}\n${t(1000)}--- a\n`)).toEqual([1_000_000_000n]);
  });

  test('a scanner resumed from its stored state finds the same headers, wherever the log is cut', () => {
    fc.assert(
      fc.property(logBytes, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (bytes, sizes) => {
        let state: HeaderScan = startOfLog;
        const found: (bigint | null)[] = [];
        for (const part of cut(bytes, sizes)) {
          const scanner = new HeaderScanner(JSON.parse(JSON.stringify(state)) as HeaderScan);
          found.push(...scanner.push(part));
          state = scanner.state;
        }
        const whole = new HeaderScanner();
        expect(found).toEqual(whole.push(bytes));
        expect(state).toEqual(whole.state);
        expect(JSON.stringify(state).length).toBeLessThan(2000);
      }),
    );
  });

  test('header times sent by the agent take precedence, and missing times repeat the one before them', () => {
    const sent = readHeaderTimes({
      header_times: {
        0: '2024-01-02T03:04:05.123456789Z',
        2: '2024-01-02T03:04:06+01:00',
        x: '2024-01-02T03:04:05Z',
        4: 'soon',
        99999999: '2024-01-02T03:04:05Z',
      },
    });
    expect([...sent]).toEqual([
      [0, 1704164645123456789n],
      [2, 1704161046000000000n],
    ]);
    expect(mergeHeaderTimes([1n, 2n, 3n, null, 5n], sent)).toEqual([
      1704164645123456789n,
      2n,
      1704161046000000000n,
      1704161046000000000n,
      5n,
    ]);
    expect(mergeHeaderTimes([null, null, 7n], new Map())).toEqual([7n, 7n, 7n]);
    expect(mergeHeaderTimes([null, null], new Map())).toEqual([]);
    expect(mergeHeaderTimes([], new Map([[1, 5n]]))).toEqual([5n, 5n]);
  });

  test.each([null, 1, {}, { header_times: null }, { header_times: 'x' }, { header_times: [1] }])(
    'a request body of %j contains no header times',
    (body) => {
      expect(readHeaderTimes(body).size).toBe(0);
    },
  );

  test('header times sent by agents may have up to nine fractional digits', () => {
    expect(nanoseconds('1970-01-01T00:00:01Z')).toBe(1_000_000_000n);
    expect(nanoseconds('1970-01-01T00:00:01.5Z')).toBe(1_500_000_000n);
    expect(nanoseconds('1970-13-01T00:00:01Z')).toBeNull();
    expect(nanoseconds('1970-01-01')).toBeNull();
  });
});

test.each([
  [0n, '1970-01-01T00:00:00Z'],
  [1n, '1970-01-01T00:00:00.001Z'],
  [120n, '1970-01-01T00:00:00.12Z'],
  [10_000n, '1970-01-01T00:00:10Z'],
  [-1n, '1969-12-31T23:59:59.999Z'],
  [2n ** 63n - 1n, null],
])('%d milliseconds since 1970 are the ISO time %j', (ms, text) => expect(isoTime(ms)).toBe(text));

describe('the visible text of a log', () => {
  test.each([
    ['', ''],
    ['a\r\nb', 'a\r\nb'],
    ['\u001b_bk;t=1\u0007\u001b[31mred\u001b[0m\tx', 'red\tx'],
    ['\u001bPquery\u001b\\a\u001b(Bb\u001b7c', 'abc'],
    ['\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link', 'alink'],
    ['stray \u001bP never ends\nnext', 'stray \nnext'],
    ['bell\u0007 nul\u0000 del\u007f', 'bell nul del'],
  ])('of %j is %j', (text, expected) => expect(visible(text)).toBe(expected));

  test('does not depend on how the log is cut, and contains no control characters but line ends and tabs', () => {
    fc.assert(
      fc.property(logBytes, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (bytes, sizes) => {
        const latin1 = (part: Uint8Array) => Buffer.from(part).toString('latin1');
        const stripper = new EscapeStripper();
        const text = [...cut(bytes, sizes)].map((part) => stripper.push(latin1(part))).join('');
        expect(text).toBe(visible(latin1(bytes)));

        expect(text).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/);
      }),
    );
  });
});

describe('log ranges', () => {
  test.each([
    [undefined, 'text', 10, { kind: 'whole' }],
    [undefined, 'json', 0, { kind: 'whole' }],
    ['bytes=-4', 'text', 10, { kind: 'part', start: 6, end: 10, contentRange: 'bytes 6-9/10' }],
    ['bytes=-99999999999999999999999', 'text', 10, { kind: 'part', start: 0, end: 10, contentRange: 'bytes 0-9/10' }],
    ['bytes=-1', 'text', 0, { kind: 'empty', contentRange: 'bytes */0' }],
  ] as const)(
    'the Range header %s selects the expected part of the %s form of a log with %d bytes',
    (header, form, size, expected) => {
      expect(parseRange(header, form, size)).toEqual(expected);
    },
  );

  test.each([
    'bytes=-0',
    'bytes=-000',
    'bytes=0-4',
    'bytes=4-',
    'bytes=-4,-2',
    'bytes=',
    'bytes=-',
    'lines=-4',
    '-4',
    'bytes=-4x',
    '',
  ])('the range %j is refused, also for an empty log', (header) => {
    expect(parseRange(header, 'text', 10).kind).toBe('refused');
    expect(parseRange(header, 'text', 0).kind).toBe('refused');
  });

  test.each(['json', 'html'] as const)('the %s form of a log refuses ranges', (form) => {
    expect(parseRange('bytes=-4', form, 10).kind).toBe('refused');
  });
});

test('the JSON form of a log decodes to its text as UTF-8, however the log is cut', () => {
  fc.assert(
    fc.property(logBytes, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (bytes, sizes) => {
      const json = new JobLogJson({ url: 'http://x/"log"', size: bytes.length, headerTimes: [2n ** 60n + 1n] });
      const text = json.begin() + [...cut(bytes, sizes)].map((part) => json.content(part)).join('') + json.end();
      const content = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
      expect(JSON.parse(text)).toMatchObject({ url: 'http://x/"log"', content, size: bytes.length });
      expect(text.endsWith('"header_times":[1152921504606846977]}')).toBe(true);
    }),
  );
});
