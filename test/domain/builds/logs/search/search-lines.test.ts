import fc from 'fast-check';
import { compileLogPattern } from '../../../../../src/domain/builds/logs/search/log-pattern.js';
import { decodeSearchCursor, encodeSearchCursor } from '../../../../../src/domain/builds/logs/search/search-cursor.js';
import { mostOfFoundLine, searchLines } from '../../../../../src/domain/builds/logs/search/search-lines.js';

const search = (text: string, pattern: string, isRegexp = false, most = 100) =>
  searchLines(Buffer.from(text), { text: pattern, isRegexp }, most);

describe('lines of a log that match a pattern', () => {
  test.each([
    ['a text in any case', 'one\nTwo\nthree', 'two', false, [[1, 'Two']]],
    ['a text with escapes inside', 'a \u001b[31mred\u001b[0m word\n', 'a red word', false, [[0, 'a red word']]],
    ['marks of the agent are no text', '\u001b_bk;t=1700000000000\u0007hello\n', 't=17', false, []],
    ['what was written over is not shown', 'error 10 %\rdone\n', 'error', false, []],
    ['what stands after the last return is', 'start\rerror at the end\n', 'error', false, [[0, 'error at the end']]],
    ['a line end of Windows', 'fine\r\nbad thing\r\n', 'bad', false, [[1, 'bad thing']]],
    ['a line behind one whose escape sequence does not end', 'a\u001b]0;b\u001b\nc\n', 'c', false, [[1, 'c']]],
    ['a last line without an end', 'a\nb', 'b', false, [[1, 'b']]],
    ['a regular expression', 'x1\nx22\ny3', '^x\\d{2}$', true, [[1, 'x22']]],
    ['a regular expression tells cases apart', 'Error\nerror', '^error', true, [[1, 'error']]],
    ['no line', 'a\nb\n', 'c', false, []],
  ])('%s', (_what, text, pattern, isRegexp, wanted) => {
    expect(search(text, pattern, isRegexp).matches.map(({ line, text: shown }) => [line, shown])).toEqual(wanted);
  });

  test('a long line is cut round the match, and says so', () => {
    const [matches] = search(`${'x'.repeat(5_000)}needle${'y'.repeat(5_000)}\n`, 'NEEDLE').matches;
    expect(matches).toMatchObject({ line: 0, isCut: true });
    expect(matches?.text).toContain('needle');
    expect(matches?.text).toHaveLength(mostOfFoundLine);
  });

  test('what is no expression says why', () => {
    expect(compileLogPattern({ text: '(', isRegexp: true })).toMatchObject({ ok: false });
    expect(compileLogPattern({ text: '(?=a)', isRegexp: true })).toMatchObject({ ok: false });
    expect(compileLogPattern({ text: '(', isRegexp: false })).toMatchObject({ ok: true });
  });

  test('finds what a search of each line finds, however the log is cut between lines', () => {
    const word = fc.stringMatching(/^[abA \t]{0,6}$/);
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 20 }),
        fc.stringMatching(/^[ab]{1,2}$/),
        fc.nat(20),
        (lines, text, at) => {
          const wanted = lines.flatMap((line, index) => (line.trimEnd().toLowerCase().includes(text) ? [index] : []));
          const log = lines.map((line) => `${line}\n`);
          const [first, second] = [log.slice(0, at).join(''), log.slice(at).join('')];
          const head = search(first, text);
          const matches = [
            ...head.matches.map(({ line }) => line),
            ...search(second, text).matches.map(({ line }) => line + head.lines),
          ];
          expect(matches).toEqual(wanted);
        },
      ),
    );
  });

  test('a cursor is read as it was written, and nothing else is one', () => {
    const cursor = { jobId: '0193a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', isWithin: true, offset: 7, line: 3, lastGiven: -1 };
    expect(decodeSearchCursor(encodeSearchCursor(cursor))).toEqual(cursor);
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(decodeSearchCursor(text)).toBeNull();
      }),
    );
  });
});
