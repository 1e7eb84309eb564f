import fc from 'fast-check';
import { deserialize, serialize, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import sanitizeHtml from 'sanitize-html';
import {
  cutNotice,
  LogRenderer,
  type RendererState,
} from '../../../../src/domain/builds/logs/terminal/log-renderer.js';
import { logAllowList, sanitiseLine } from '../../../../src/domain/builds/logs/terminal/sanitise.js';
import { safeUrl } from '../../../../src/domain/builds/logs/terminal/url.js';
import { cut, logBytes, renderTerminal } from './arbitrary-logs.js';

const tag =
  /<(?:span class="(?:term-[a-z]+\d+ ?)*"|\/span|\/a|\/time|time datetime="[-:.\dTZ]+"|a href="[^"<>]*"|img alt="[^"<>]*" src="[^"<>]*"(?: width="[^"<>]*")?(?: height="[^"<>]*")?)>/g;

/** Allows everything outside the allow-list, so that a difference shows what the allow-list removed. */
const lax: sanitizeHtml.IOptions = {
  allowedTags: false,
  allowedAttributes: false,
  allowVulnerableTags: true,
  allowedSchemesAppliedToAttributes: [],
};

test('any bytes render without an error and to the same HTML however they are cut', () => {
  fc.assert(
    fc.property(
      logBytes,
      fc.infiniteStream(fc.integer({ min: 1, max: 9 })),
      fc.constantFrom(3, 120, 1000),
      (bytes, sizes, bufferRows) => {
        const renderer = new LogRenderer({ bufferRows });
        const html = [...cut(bytes, sizes)].map((part) => renderer.push(part)).join('') + renderer.end();
        expect(html).toBe(renderTerminal(bytes, { bufferRows }));
      },
    ),
    { numRuns: 300 },
  );
});

test('a line that is read at once becomes the same HTML as one written cell by cell, also where the cursor comes back to it', () => {
  const line = fc.oneof(
    fc.constantFrom(
      'plain words\n',
      '\u001b_bk;t=1700000000120\u0007marked\r\n',
      '\u001b_bk;t=1700000000000\u0007\n',
      '\u001b_bk;t=99999999999999999\u0007far\n',
      '\u001b[32mok\u001b[0m <a href="x">&\'  \r\r\n',
      '\u001b[1;38;5;9mbold on\n',
      '\u001b[4munderlined\u001b[K \t\n',
      '\u001b[m\n',
      '\n',
      '   \n',
      `${'w'.repeat(160)}\n`,
      `${'w'.repeat(161)}\n`,
      'é 日本 \u{1f600}\n',
    ),
    fc.constantFrom(
      '\u001b[2A',
      '\u001b[200B',
      '\u001b[5Aover',
      '\u001b[1J',
      '\u001b[2J',
      '\u001bM\u001b[1K',
      '\r',
      '\n'.repeat(120),
    ),
  );
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 60 }),
      fc.constantFrom(3, 120, 1000),
      fc.boolean(),
      (lines, bufferRows, timestamps) => {
        const bytes = Buffer.from(lines.join(''));
        const options = { bufferRows, timestamps };
        const renderer = new LogRenderer(options);
        let html = '';
        for (let at = 0; at < bytes.length; at += 1) html += renderer.push(bytes.subarray(at, at + 1));
        expect(html + renderer.end()).toBe(renderTerminal(bytes, options));
      },
    ),
    { numRuns: 200 },
  );
});

test('any bytes render the same when every piece is rendered by a new renderer from a serialized state', () => {
  fc.assert(
    fc.property(logBytes, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (bytes, sizes) => {
      let state: RendererState | null = null;
      let html = '';
      for (const part of cut(bytes, sizes)) {
        const renderer: LogRenderer = new LogRenderer({}, state);
        html += renderer.push(part);
        state = deserialize(serialize(renderer.state())) as RendererState;
      }
      expect(html + new LogRenderer({}, state).end()).toBe(renderTerminal(bytes));
    }),
    { numRuns: 100 },
  );
});

test('a hyperlink before thousands of short lines grows to at most 64 times its size, and all lines are kept', () => {
  for (const length of [10, 300, 8_000]) {
    const log = `\u001b]8;;http://example.com/${'a'.repeat(length)}\u0007${'x\n'.repeat(28_000)}`;
    const html = renderTerminal(log);
    expect(html.length).toBeLessThan(64 * log.length);
    expect(html).toContain('<a href="http://example.com/aaa');
    expect(html).not.toContain(cutNotice);
    expect(html.split('\n').map((line) => line.replace(/<[^>]*>/g, ''))).toEqual(
      Array.from({ length: 28_000 }, () => 'x'),
    );
  }
});

test('HTML that becomes far too large is cut with a notice, at the same place however the log is cut into pieces', () => {
  const log = Buffer.from(
    `\u001b[1;3;4;5;9;38;5;255;48;5;255m${`\u001b]8;;${'a'.repeat(300)}\u0007${'x\n'.repeat(110)}`.repeat(400)}`,
  );
  const html = renderTerminal(log);
  expect(html.length).toBeLessThan(256 * 1024 + 64 * log.length + 4 * 1024 * 1024);
  expect(html.endsWith(`\n${cutNotice}`)).toBe(true);
  const renderer = new LogRenderer();
  const pieces = Array.from({ length: Math.ceil(log.length / 777) }, (_, index) =>
    renderer.push(log.subarray(index * 777, (index + 1) * 777)),
  );
  expect(pieces.join('') + renderer.end()).toBe(html);
});

test('rendered HTML never contains markup outside the allow-list', () => {
  fc.assert(
    fc.property(logBytes, (bytes) => {
      const html = renderTerminal(bytes);
      expect(html.replace(tag, '')).not.toMatch(/[<>"']|javascript:|data:text/);
      const probe = html.replaceAll(' class=""', '');
      expect(sanitizeHtml(probe, logAllowList)).toBe(sanitizeHtml(probe, lax));
    }),
    { numRuns: 300 },
  );
});

test('the final sanitizer removes only markup outside the allow-list', () => {
  expect(sanitiseLine('<a href="javascript:x">y</a>')).toBe('<a>y</a>');
  expect(sanitiseLine('<a href="http://x" onclick="y">z</a>')).toBe('<a href="http://x">z</a>');
  expect(sanitiseLine('a<script>b</script>c')).toBe('ac');
  expect(sanitiseLine('<span class="term-fg1 evil">x</span>')).toBe('<span class="term-fg1">x</span>');
  const line =
    '<a href="http://x&amp;y"><span class="">a&#47;b&quot;</span></a><img alt="&#34;" src="data:image/png;base64,AA==">&nbsp;';
  expect(sanitiseLine(line)).toBe(line);
});

test.each([
  ['HTTP://x/Y', 'http://x/Y'],
  ['artifact://dir/a b.png', 'artifact://dir/a%20b.png'],
  ['//host/x', '//host/x'],
  ['#part', '#part'],
  ['?q=1', '?q=1'],
  ['', ''],
  ['mailto:a@b', 'mailto:a@b'],
  ['http://x/%e2%98%83', 'http://x/%e2%98%83'],
  ['http://x/☃', 'http://x/%E2%98%83'],
  ['JavaScript:alert(1)', '#'],
  ['java\nscript:alert(1)', '#'],
  [' javascript:alert(1)', '#'],
  ['vbscript:x', '#'],
  ['data:text/html,x', '#'],
  ['x:y', '#'],
  ['1:2', '#'],
  ['http://x/%zz', '#'],
  ['http://a b/', '#'],
])('the URL %j is made safe as %j', (url, safe) => expect(safeUrl(url)).toBe(safe));

test('a log of endless lines, blanks or unterminated sequences renders to HTML of bounded size', () => {
  const inputs = [
    'x',
    ' ',
    '\n',
    '\u001b]8;;',
    '\u001b[1',
    '\u001b_',
    `\u001b]8;;http://x/${'y'.repeat(5000)}\u0007z`,
    '\u001b]1339;url=a\u0007',
  ];
  for (const input of inputs) {
    const renderer = new LogRenderer();
    const part = Buffer.from(input.repeat(Math.ceil(65_536 / input.length)));
    let longest = 0;
    for (let i = 0; i < 12; i++) longest = Math.max(longest, renderer.push(part).length);
    expect(longest).toBeLessThan(64 * 1024 * 1024);
    expect(typeof renderer.end()).toBe('string');
  }
});

test('endless newlines are rendered as they arrive', () => {
  const renderer = new LogRenderer();
  const part = Buffer.from('\n'.repeat(50_000));
  expect(renderer.push(part).length).toBeGreaterThan(39_000 * 7);
  expect(renderer.push(Buffer.from('x')) + renderer.end()).toMatch(/\nx$/);
});

test('a very long line stays one line and keeps its inner blanks', () => {
  const line = `start${' '.repeat(200_000)}end`;
  expect(renderTerminal(`${line}  \nnext`)).toBe(`${line}\nnext`);
});

test('rendering 64 MiB of log does not increase memory use', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const line = `\u001b_bk;t=1700000000000\u0007\u001b[32mcompiled\u001b[0m ${'src some module of the program '.repeat(30)}\r\n`;
  const part = Buffer.from(line.repeat(64));
  const renderer = new LogRenderer();
  const stream = (upTo: number): number => {
    for (; bytes < upTo; bytes += part.length) html += renderer.push(part).length;
    collect();
    return process.memoryUsage().heapUsed;
  };
  let bytes = 0;
  let html = 0;
  const early = stream(2 * 1024 * 1024);
  const late = stream(64 * 1024 * 1024);
  html += renderer.end().length;
  expect(html).toBeGreaterThan(bytes);
  expect(late - early).toBeLessThan(8 * 1024 * 1024);
});
