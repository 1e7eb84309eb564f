import fc from 'fast-check';
import { HeaderScanner, startOfLog, type HeaderScan } from '../../../../src/domain/builds/logs/header-scanner.js';
import { mergeHeaderTimes, nanoseconds, readHeaderTimes } from '../../../../src/domain/builds/logs/header-times.js';
import { JobLogJson } from '../../../../src/domain/builds/logs/json-form.js';
import { groupsOf, parseLogLine } from '../../../../src/domain/builds/logs/log-line.js';
import { PlainLines } from '../../../../src/domain/builds/logs/plain-text.js';
import { parseRange } from '../../../../src/domain/builds/logs/range.js';
import { isoTime } from '../../../../src/domain/builds/logs/timestamp-mark.js';
import { describeWithVectors, readVectors, vectorsPresent } from '../../../support/vectors.js';
import { cut, logBytes } from './arbitrary-logs.js';

function plain(text: string | Uint8Array): string[] {
  const lines = new PlainLines();
  return [...lines.push(Buffer.from(text)), ...lines.end()];
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
  content?: string;
  has_timestamp?: boolean;
  timestamp_ms?: number | null;
  is_group?: boolean;
}

describeWithVectors('the log line vectors', () => {
  const cases = vectorsPresent ? readVectors<{ cases: GroupCase[] }>('log-rendering/groups.json').cases : [];

  test('log lines are parsed into content, time and group header', () => {
    for (const { id, kind, input, content, has_timestamp, timestamp_ms, is_group } of cases) {
      if (input === undefined) continue;
      const line = parseLogLine(input);
      if (content !== undefined) expect([id, line.content]).toEqual([id, content]);
      if (has_timestamp !== undefined) expect([id, line.timestampMs !== null]).toEqual([id, has_timestamp]);
      if (timestamp_ms != null) expect([id, line.timestampMs]).toEqual([id, BigInt(timestamp_ms)]);
      if (is_group !== undefined) {
        expect([id, line.group !== null]).toEqual([id, is_group]);
        expect([id, kind, headers(`${input}\n`).length]).toEqual([id, kind, is_group ? 1 : 0]);
      }
    }
  });

  test('every line belongs to the expected group', () => {
    for (const { id, lines, groups } of cases) {
      if (!lines) continue;
      const of = groupsOf(lines);
      const names = lines.map((_, i) => of.find((group) => group.firstLine <= i && i < group.endLine)?.header ?? '');
      expect([id, names]).toEqual([id, groups]);
    }
  });

  test('third-party inputs give the expected plain text', () => {
    const { cases: all } = readVectors<{ cases: { id: string; input: string; expected_plain_text?: string }[] }>(
      'log-rendering/third-party.json',
    );
    for (const { id, input, expected_plain_text } of all) {
      if (expected_plain_text !== undefined) expect([id, plain(input).join('\n')]).toEqual([id, expected_plain_text]);
    }
  });
});

describe('log groups', () => {
  test.each([
    ['--- Build', 'collapsed'],
    ['+++ Test', 'expanded'],
    ['~~~ Setup', 'muted'],
    ['\u001b[90m\u001b[K--- Build', 'collapsed'],
    ['---\u001b[0m Build', 'collapsed'],
    ['---\tBuild', 'collapsed'],
    ['---', null],
    ['---\r', null],
    ['---Build', null],
    [' --- Build', null],
    ['---- Build', null],
    ['^^^ +++', null],
    ['\u001b[2J--- Build', null],
  ])('the line %j begins the group %j for parseLogLine and for the header scanner', (line, kind) => {
    expect(parseLogLine(line).group).toBe(kind);
    expect(headers(`before\n${line}\nafter`)).toHaveLength(kind === null ? 0 : 1);
  });

  test('^^^ +++ opens the group before it, and in a log without +++ the last --- group is open', () => {
    const open = (...lines: string[]): boolean[] => groupsOf(lines).map((group) => group.open);
    expect(open('--- a', '^^^ +++', '--- b')).toEqual([true, true]);
    expect(open('--- a', '--- b', '~~~ c')).toEqual([false, true, false]);
    expect(open('--- a', '+++ b', '--- c')).toEqual([false, true, false]);
    expect(open('+++ a', '--- b', '^^^ +++')).toEqual([true, true]);
    expect(groupsOf(['^^^ +++', 'x'])).toEqual([]);
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

describe('plain lines', () => {
  test.each<[string, string[]]>([
    ['', []],
    ['a\nb', ['a', 'b']],
    ['a\n', ['a']],
    ['a\r\nb\r\r\n', ['a', 'b']],
    ['10%\r20%\r100%\r\n', ['100%']],
    ['\u001b_bk;t=1\u0007\u001b[31mred\u001b[0m\tx', ['red\tx']],
    ['\u001bPquery\u001b\\a\u001b(Bb\u001b7c', ['abc']],
    ['\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link', ['alink']],
    ['stray \u001bP never ends\nnext', ['stray ', 'next']],
    ['bell\u0007 nul\u0000 del\u007f', ['bell nul del']],
    ['\n\n', ['', '']],
  ])('the plain lines of %j are %j', (text, lines) => expect(plain(text)).toEqual(lines));

  test('plain lines do not depend on how the log is cut, contain no control characters, and are bounded', () => {
    fc.assert(
      fc.property(logBytes, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (bytes, sizes) => {
        const lines = new PlainLines();
        const pieces = [...cut(bytes, sizes)].flatMap((part) => lines.push(part)).concat(lines.end());
        expect(pieces).toEqual(plain(bytes));

        expect(pieces.join('')).not.toMatch(/[\u0000-\u0008\u000a-\u001f\u007f]/);
      }),
    );
    expect(plain('x'.repeat(150_000)).map((line) => line.length)).toEqual([65_536, 65_536, 18_928]);
    expect(plain(`${'x'.repeat(150_000)}\n`).map((line) => line.length)).toEqual([65_536, 65_536, 18_928]);
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
