import fc from 'fast-check';
import { LogRenderer, type RenderOptions } from '../../../../src/domain/builds/logs/terminal/log-renderer.js';

/** Fragments of logs: ordinary text, every kind of escape sequence, and near misses. */
const fragment = fc.oneof(
  fc.constantFrom(
    '\n',
    '\r',
    '\r\n',
    '\b',
    '\t',
    '\u0007',
    '\u001b',
    '\u001b\\',
    ' ',
    '   ',
    '/',
    '<',
    '>',
    '&',
    '"',
    "'",
    '--- a',
    '+++ ',
    '~~~ x',
    '^^^ +++',
    '---',
    '\u001b[',
    '\u001b]',
    '\u001b_',
    '\u001b_bk;t=1700000000000\u0007',
    '\u001b_bk;dt=1\u0007',
    '\u001b_bk;t=x\u0007',
    '\u001b_bk;x\u001b\\',
    '\u001b[31m',
    '\u001b[0m',
    '\u001b[1;48;5;20m',
    '\u001b[38;2;1;2;3m',
    '\u001b[K',
    '\u001b[1K',
    '\u001b[2J',
    '\u001b[3J',
    '\u001b[1J',
    '\u001b[5;3H',
    '\u001b[200C',
    '\u001b[2A',
    '\u001b[9B',
    '\u001b[3D',
    '\u001b[G',
    '\u001b7',
    '\u001b8',
    '\u001bM',
    '\u001b(B',
    '\u001b[?25l',
    '\u001b]8;;http://x/<a>?b="c"\u0007',
    '\u001b]8;;javascript:alert(1)\u0007',
    '\u001b]8;;\u001b\\',
    '\u001b]1338;url=http://x/"onerror="y;alt=<b>\u0007',
    '\u001b]1338;url=javascript:x\u0007',
    '\u001b]1338;\u0007',
    '\u001b]1339;url="data:text/html,<script>";content=<script>x</script>\u0007',
    '\u001b]1337;File=name=eC5wbmc=;inline=1;width="1 onload=x:AA==\u0007',
    '\u001b]1337;File=name=eC5wbmc=;inline=1;width=5:AA==\u0007',
    '<script>alert(1)</script>',
    '</span>',
    '\u{1f600}',
    'é',
    '日本',
  ),
  fc.string({ maxLength: 8 }),
  fc.constant('word '.repeat(40)),
);

/** Bytes of logs, valid UTF-8 for the greater part. */
export const logBytes: fc.Arbitrary<Uint8Array> = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: fragment.map((text) => Buffer.from(text)) }, fc.uint8Array({ maxLength: 4 })),
    { maxLength: 40 },
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)));

/** Cuts bytes into parts of the given sizes. */
export function* cut(bytes: Uint8Array, sizes: Iterator<number>): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length;) {
    const size = Number(sizes.next().value);
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Renders a log that is in memory. */
export function renderTerminal(text: string | Uint8Array, options?: RenderOptions): string {
  const renderer = new LogRenderer(options);
  return renderer.push(Buffer.from(text)) + renderer.end();
}
