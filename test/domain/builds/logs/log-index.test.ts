import fc from 'fast-check';
import { LineSearch } from '../../../../src/domain/builds/logs/line-search.js';
import { LogIndexer } from '../../../../src/domain/builds/logs/log-index.js';

/** Bytes in pieces of the lengths given, the rest at once. */
function pieces(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return [...parts, bytes.subarray(at)];
}

function indexOf(text: string, lengths: readonly number[] = []) {
  const indexer = new LogIndexer();
  for (const part of pieces(Buffer.from(text), lengths)) indexer.push(part);
  return indexer.end();
}

function find(text: string, wanted: string, lengths: readonly number[] = []) {
  const search = new LineSearch(wanted);
  for (const part of pieces(Buffer.from(text), lengths)) search.push(part);
  return search.end();
}

const mark = '\u001b_bk;t=1700000000000\u0007';

describe('the index of a log', () => {
  it('counts ended lines and bytes, and begins at the first byte', () => {
    expect(indexOf('one\ntwo\nthree')).toEqual({ size: 13, lineCount: 2, stride: 256, offsets: [0], groups: [] });
    expect(indexOf('')).toEqual({ size: 0, lineCount: 0, stride: 256, offsets: [0], groups: [] });
  });

  it('knows groups behind time marks and colors, and opens the one before ^^^ +++', () => {
    const text = `${mark}--- Install\nx\n\u001b[33m+++ Test\u001b[0m\n${mark}~~~ Clean\ny\n${mark}^^^ +++\n---\n`;
    expect(indexOf(text).groups).toEqual([
      { line: 0, open: false },
      { line: 2, open: true },
      { line: 3, open: true },
    ]);
  });

  it('gives the byte at which every stride of lines begins, in an index that stays small', () => {
    const lines = 3_000_000;
    const { offsets, stride, lineCount } = indexOf('x\n'.repeat(lines));
    expect(lineCount).toBe(lines);
    expect(offsets.length).toBeLessThanOrEqual(4_096);
    expect(offsets.slice(0, 3)).toEqual([0, stride * 2, stride * 4]);
    expect((offsets.length - 1) * stride).toBeGreaterThan(lines - stride - 1);
  });

  it('does not depend on how the bytes are cut', () => {
    const line = fc.constantFrom('', 'text', '--- a', '+++ b', '^^^ +++', `${mark}~~~ c`, 'é€', `${mark}plain`);
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(9), { maxLength: 30 }), (lines, lengths) => {
        const text = lines.join('\n');
        expect(indexOf(text, lengths)).toEqual(indexOf(text));
        expect(find(text, 'A', lengths)).toEqual(find(text, 'A'));
      }),
    );
  });
});

describe('search in a log', () => {
  it('finds lines in any case, below escape sequences, and a last line that has not ended', () => {
    expect(find(`${mark}Error: no\nfine\n\u001b[31mer\u001b[0mror\nerror`, 'ERROR')).toEqual([0, 2, 3]);
  });

  it('tells the first 10,000 lines and stops', () => {
    expect(find('a\n'.repeat(20_000), 'a')).toHaveLength(10_000);
  });
});
