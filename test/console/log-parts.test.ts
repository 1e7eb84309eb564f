import { readElement } from '../../src/console/pages/build/job/log-elements.js';
import { parseLine } from '../../src/console/pages/build/job/log-parts.js';

const osc = (command: string) => `\u001b]${command}\u0007`;
const shown = (line: string) => parseLine(line).spans.map(({ text, href }) => [text, href]);

describe('a line of a log in the console', () => {
  test('links what stands between the two marks of a hyperlink, and addresses in the text', () => {
    expect(shown(`see ${osc('8;;https://example.com/a')}the report${osc('8;;')}, or https://example.com/b`)).toEqual([
      ['see ', undefined],
      ['the report', 'https://example.com/a'],
      [', or ', undefined],
      ['https://example.com/b', 'https://example.com/b'],
    ]);
  });

  test('never links what a browser would run', () => {
    for (const address of ['javascript:alert(1)', 'data:text/html,x', 'JAVASCRIPT:x', ' javascript:x', 'vbscript:x']) {
      expect(shown(`${osc(`8;;${address}`)}text${osc('8;;')}`)).toEqual([['text', undefined]]);
      expect(readElement(`1339;url=${address};content=x`)).toBeNull();
      expect(readElement(`1338;url=${address}`)).toBeNull();
    }
  });

  test('links artifacts of the job by either command, but no path that is missing', () => {
    const address = 'artifact://out/a b.txt';
    expect(shown(osc(`1339;url=${address};content=the file`))).toEqual([['the file', address]]);
    expect(shown(`${osc(`8;;${address}`)}text${osc('8;;')}`)).toEqual([['text', address]]);
    expect(readElement('1339;url=artifact://;content=x')).toBeNull();
    expect(shown(`${osc(`8;;artifact://${'a'.repeat(9_000)}`)}text${osc('8;;')}`)).toEqual([['text', undefined]]);
  });

  test('takes images in their own bytes, of artifacts and of other hosts apart', () => {
    const name = Buffer.from('dot.png').toString('base64');
    const imageOf = (command: string) => parseLine(osc(command)).spans[0]?.image;
    expect(imageOf(`1337;File=name=${name};inline=1:AAAA`)).toEqual({
      src: 'data:image/png;base64,AAAA',
      artifact: null,
      href: null,
      alt: 'dot.png',
    });
    expect(imageOf("1338;url=artifact://out/a;alt='a; b'")).toMatchObject({
      artifact: 'out/a',
      src: null,
      alt: 'a; b',
    });
    expect(imageOf('1338;url=https://example.com/a.png')).toMatchObject({
      href: 'https://example.com/a.png',
      src: null,
    });
    expect(imageOf(`1337;File=name=${Buffer.from('a.html').toString('base64')};inline=1:AAAA`)).toBeUndefined();
    expect(imageOf(`1337;File=name=${name}:AAAA`)).toBeUndefined();
  });

  test('shows colors as classes, times apart, and of a rewritten line its last text', () => {
    const { spans, time } = parseLine('\u001b_bk;t=1700000000000\u0007old\r\u001b[1;31mnew\u001b[0m plain\r');
    expect(time).toBe(1_700_000_000_000);
    expect(spans).toEqual([
      { text: 'new', className: 'ansi-bold ansi-fg-red' },
      { text: ' plain', className: '' },
    ]);
  });
});
