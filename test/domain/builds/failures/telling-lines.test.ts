import type { Excerpt } from '../../../../src/domain/builds/failures/failure-excerpts.js';
import { tellingLines } from '../../../../src/domain/builds/failures/telling-lines.js';

const excerpt = (kind: Excerpt['kind'], text: string): Excerpt => ({ kind, text, firstLine: 0, lastLine: 0 });
const numbered = (count: number, text = 'line') => Array.from({ length: count }, (_, at) => `${text} ${at}`).join('\n');

describe('the lines of a failure that a message shows', () => {
  test.each([
    ['nothing', [], ''],
    ['the end where nothing tells more', [excerpt('group', 'a group'), excerpt('end', 'the end\n')], 'the end'],
    ['the first error before its end', [excerpt('group', 'a'), excerpt('error', 'b'), excerpt('end', 'c')], 'b'],
    ['a failed test as well', [excerpt('test', 'not ok 1'), excerpt('stack', 'at x')], 'not ok 1'],
    ['the beginning of a long error', [excerpt('error', numbered(30))], numbered(12)],
    ['the end of a long end', [excerpt('end', numbered(30))], numbered(30).split('\n').slice(-12).join('\n')],
  ])('are %s', (_name, excerpts, lines) => {
    expect(tellingLines(excerpts)).toBe(lines);
  });

  test('are 1,200 characters at most, however long a line is', () => {
    expect(tellingLines([excerpt('error', `x${'y'.repeat(5_000)}`)])).toMatch(/^xy{1199}$/);
    expect(tellingLines([excerpt('end', `${'y'.repeat(5_000)}x`)])).toMatch(/^y{1199}x$/);
  });
});
