import fc from 'fast-check';
import { annotationAllowList, annotationClasses } from '../../../../src/domain/builds/annotations/allow-list.js';
import { renderAnnotation } from '../../../../src/domain/builds/annotations/render.js';
import { limits } from '../../../../src/domain/limits/limits.js';

const most = limits.annotationHtmlBytes;
const render = (body: string): string => {
  const html = renderAnnotation(body, most);
  if (html === null) throw new Error('too large');
  return html;
};

describe('renderAnnotation', () => {
  test.each<[string, string, string]>([
    ['a paragraph', 'Hello *world*!', '<p>Hello <em>world</em>!</p>\n'],
    ['a strikethrough', '~~no~~', '<p><s>no</s></p>\n'],
    [
      'a table, aligned by classes',
      '| a | b | c |\n|:-|:-:|-:|\n| 1 | 2 | 3 |',
      '<table>\n<thead>\n<tr>\n<th class="left-align">a</th>\n<th class="center">b</th>\n<th class="right-align">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td class="left-align">1</td>\n<td class="center">2</td>\n<td class="right-align">3</td>\n</tr>\n</tbody>\n</table>\n',
    ],
    [
      'URLs and email addresses in plain text',
      'see https://a.example/b and a@b.example',
      '<p>see <a href="https://a.example/b">https://a.example/b</a> and <a href="mailto:a@b.example">a@b.example</a></p>\n',
    ],
    ['a word with a dot', 'main.go and //x.example', '<p>main.go and //x.example</p>\n'],
    [
      'code in a language, without colours',
      '```js\nlet a = "<b>";\n```',
      '<pre><code>let a = "&lt;b&gt;";\n</code></pre>\n',
    ],
    ['a list with a start', '3. c\n4. d', '<ol start="3">\n<li>c</li>\n<li>d</li>\n</ol>\n'],
    [
      'details with Markdown in them',
      '<details open><summary>More</summary>\n\n*x*\n\n</details>',
      '<details open><summary>More</summary>\n<p><em>x</em></p>\n</details>',
    ],
    [
      'a link to an artifact',
      'Read the <a href="artifact://coverage/index.html">report</a>',
      '<p>Read the <a href="artifact://coverage/index.html">report</a></p>\n',
    ],
    [
      'a picture of an artifact',
      '<img src="artifact://indy.png" alt="Belongs in a museum" height=250>',
      '<img src="artifact://indy.png" alt="Belongs in a museum" height="250" />',
    ],
    [
      'a link to an app store',
      '[x](itms-services://?action=download)',
      '<p><a href="itms-services://?action=download">x</a></p>\n',
    ],
    ['a relative link', '[x](/a/b?c=d#e)', '<p><a href="/a/b?c=d#e">x</a></p>\n'],
    [
      'known classes',
      '<p class="bold evil flex p4 mxn4 sm-col-12 bg-red border-teal">x</p>',
      '<p class="bold flex p4 mxn4 sm-col-12 bg-red border-teal">x</p>',
    ],
    ['an unknown class', '<span class="p5 xl-col-1 language-js">x</span>', '<p><span>x</span></p>\n'],
    ['a style of its own', '<p style="color:red" id="x" title="y">x</p>', '<p>x</p>'],
    [
      'terminal output',
      '```term\n\u001b[31mred\u001b[0m <b>\n```',
      '<pre class="term"><code><span class="term-fg31">red</span> &lt;b&gt;</code></pre>\n',
    ],
    ['terminal output by its longer name', '```terminal\nx\n```', '<pre class="term"><code>x</code></pre>\n'],
    [
      'terminal output that is rendered already',
      '<pre class="term"><code><span class="term-fg31 term-bold">x</span></code></pre>',
      '<pre class="term"><code><span class="term-fg31 term-bold">x</span></code></pre>',
    ],
    ['emoji by their names and aliases', ':rocket::tada: :collision: 12:30:smile:', '<p>🚀🎉 💥 12:30😄</p>\n'],
    ['words between colons that name no emoji', ':nothing: x:y:z', '<p>:nothing: x:y:z</p>\n'],
    ['emoji in HTML', '<h3>:rocket: up</h3>', '<h3>🚀 up</h3>'],
    [
      'no emoji in code or terminals',
      '`:rocket:`\n\n    :rocket:\n\n```term\n:rocket:\n```\n<pre><span>:rocket:</span></pre> :rocket:',
      '<p><code>:rocket:</code></p>\n<pre><code>:rocket:\n</code></pre>\n<pre class="term"><code>:rocket:</code></pre>\n<pre><span>:rocket:</span></pre> 🚀',
    ],
    ['only elements that are not allowed', '<script>alert(1)</script>', ''],
    ['the content of unknown elements', '<marquee><blink>x</blink></marquee>', '<p>x</p>\n'],
    [
      'elements removed with their content',
      '<p>a<style>b</style><iframe>c</iframe><svg><text>d</text></svg>e</p>',
      '<p>ae</p>',
    ],
  ])("an annotation's Markdown is rendered to the expected HTML: %s", (_what, body, html) =>
    expect(render(body)).toBe(html),
  );

  test('an annotation renders its first ten terminal blocks and shows later ones as code', () => {
    const html = render('```term\n\u001b[1mx\n```\n'.repeat(12));
    expect(html.match(/<pre class="term">/g)).toHaveLength(limits.annotationTerminalBlocks);
    expect(html.match(/<pre>/g)).toHaveLength(2);
  });

  test('an annotation links to artifacts in its first ten links and pictures only', () => {
    const html = render(
      Array.from({ length: 7 }, (_, index) => `[a](artifact://${index}) ![b](artifact://${index}.png)`).join('\n'),
    );
    expect(html.match(/artifact:/g)).toHaveLength(limits.annotationArtifactLinks);
    expect(html.match(/<a/g)).toHaveLength(7);
  });

  test('the classes of the allow-list are kept', () => {
    const words = annotationClasses.filter((word) => typeof word === 'string');
    expect(render(`<p class="${words.join(' ')}">x</p>`)).toBe(`<p class="${words.join(' ')}">x</p>`);
    expect(words).toEqual(
      expect.arrayContaining([
        'lg-col-12',
        'order-last',
        'justify-around',
        'content-stretch',
        'muted',
        'bg-muted',
        'btn-primary',
        'h6',
        'mt0',
        'py4',
        'mxn1',
      ]),
    );
  });
});

describe('a small annotation that would render to much HTML', () => {
  test.each<[string, string]>([
    ['an address named by many references', `[x]: http://example.com/${'a'.repeat(10_000)}\n\n${'[x]'.repeat(1_000)}`],
    ['a title named by many references', `[x]: http://example.com "${'a'.repeat(10_000)}"\n\n${'[x]'.repeat(1_000)}`],
    ['elements inside each other', '<div>'.repeat(5_000)],
    ['escaped characters', '&'.repeat(limits.annotationBodyBytes)],
  ])('rendering is refused for %s', (_what, body) => expect(renderAnnotation(body, most)).toBeNull());

  test('rendering is refused for terminal blocks that fill themselves with blanks', () => {
    expect(renderAnnotation(`\`\`\`term\n${'\u001b[159Cx\n'.repeat(10_000)}\n\`\`\``, 500_000)).toBeNull();
  });
});

const hostile = fc.constantFrom(
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '<a href="java\tscript:alert(1)">',
  '<a href=" javascript:x">',
  '<a href="&#106;avascript:alert(1)">',
  '<svg/onload=alert(1)>',
  '<math><mtext><style><img src=x onerror=alert(1)></style>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<template><script>x</script></template>',
  '<iframe src="javascript:alert(1)">',
  '<p style="background:url(javascript:x)">',
  '<form action="javascript:x"><button formaction=x>',
  '<object data="x">',
  '<embed src="x">',
  '<base href="//x">',
  '<meta http-equiv="refresh">',
  '<link rel=stylesheet href=x>',
  '<details ontoggle=alert(1) open>',
  '<img src="data:image/svg+xml,<svg onload=x>">',
  '<a href="data:text/html,x">',
  '<a href="vbscript:x">',
  '<textarea>',
  '</textarea>',
  '<title>',
  '<xmp>',
  '<plaintext>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?php',
  '<a',
  '"',
  "'",
  '>',
  '<',
  '/>',
  '`',
  '```',
  '```term\n',
  '\n',
  '\n\n',
  '    ',
  '\u001b]1339;url=javascript:alert(1);content=x\u0007',
  '\u001b]8;;javascript:alert(1)\u0007x',
  '\u001b]1338;url=x" onerror="alert(1)\u0007',
  '\u001b[31m',
  '![x](javascript:x "y")',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '| a |\n|---|\n',
  '&lt;script&gt;',
  '&#60;script&#62;',
  ':rocket:',
  ':<script>:',
);

/** Text, end tags and start tags, written the one strict way: no browser can read anything else into them. */
const piece = /[^<>]+|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)(?: \/)?>/y;

function* startTags(html: string): Generator<[name: string, attributes: [string, string][]]> {
  piece.lastIndex = 0;
  while (piece.lastIndex < html.length) {
    const at = piece.lastIndex;
    const found = piece.exec(html);
    if (!found) throw new Error(`strange at ${at}: ${html}`);
    const [, , name, attributes = ''] = found;
    if (name)
      yield [
        name,
        [...attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)].map(([, key = '', value = '']) => [key, value]),
      ];
  }
}

test('no input makes the HTML of an annotation contain anything outside the allow-list', () => {
  const tags = new Set<string>(annotationAllowList.allowedTags);
  const allowed: Record<string, string[]> = annotationAllowList.allowedAttributes;
  fc.assert(
    fc.property(
      fc.array(fc.oneof(hostile, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 })), {
        maxLength: 14,
      }),
      (parts) => {
        const html = render(parts.join(''));
        for (const [name, attributes] of startTags(html)) {
          if (!tags.has(name)) throw new Error(`<${name}> in ${html}`);
          for (const [key, value] of attributes) {
            if (key !== 'class' && !allowed[name]?.includes(key)) throw new Error(`${key} of <${name}> in ${html}`);
            // Characters that browsers read over in an address are no hiding place.
            const scheme = /^([a-z][a-z0-9+.-]*):/i
              .exec(value.replace(/[\u0000-\u0020]|&[^;]*;/g, ''))?.[1]
              ?.toLowerCase();
            if ((key === 'href' || key === 'src') && scheme && !annotationAllowList.allowedSchemes.includes(scheme))
              throw new Error(`${key}=${value}`);
          }
        }
      },
    ),
    { numRuns: 300 },
  );
});
