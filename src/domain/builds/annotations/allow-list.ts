import type { IOptions } from 'sanitize-html';

const colours = 'black gray silver white aqua blue navy teal green olive lime yellow orange red fuchsia purple maroon';
const places = 'start end center baseline stretch';
const sides = '0 1 2 3 4';
const columns = '1 2 3 4 5 6 7 8 9 10 11 12';

const each = (prefix: string, words: string) => words.split(' ').map((word) => `${prefix}${word}`);

/** Classes that annotations may use, besides those of terminal output. */
export const annotationClasses: (string | RegExp)[] = [
  ...each(
    '',
    'bold regular italic caps underline left-align center right-align justify align-baseline align-top ' +
      'align-middle align-bottom',
  ),
  ...each(
    '',
    'list-reset truncate fit inline block inline-block table table-cell overflow-hidden overflow-scroll ' +
      'overflow-auto ml-auto mr-auto mx-auto',
  ),
  ...each('', 'flex flex-column flex-wrap flex-auto flex-none'),
  ...each('items-', places),
  ...each('self-', places),
  ...each('justify-', 'start end center between around'),
  ...each('content-', 'start end center between around stretch'),
  ...each('order-', '0 1 2 3 last'),
  ...each('', 'border rounded'),
  ...each('border-', 'top right bottom left none'),
  ...each('border-', colours),
  ...each('h', '1 2 3 4 5 6'),
  ...['m', 'mt', 'mr', 'mb', 'ml', 'mx', 'my', 'p', 'pt', 'pr', 'pb', 'pl', 'px', 'py'].flatMap((box) =>
    each(box, sides),
  ),
  ...each('mxn', '1 2 3 4'),
  ...['', 'sm-', 'md-', 'lg-'].flatMap((size) => each(`${size}col-`, columns)),
  ...each('', `${colours} muted`),
  ...each('', 'btn btn-sm btn-lg btn-primary'),
  ...each('bg-', `${colours} muted`),
  'term',
  /^term-[a-z0-9-]+$/,
];

const withContents = [
  'script',
  'style',
  'iframe',
  'noscript',
  'object',
  'embed',
  'svg',
  'math',
  'template',
  'title',
  'textarea',
  'option',
  'xmp',
  'noembed',
  'noframes',
  'plaintext',
];

/** Everything that a rendered annotation may hold. */
export const annotationAllowList = {
  allowedTags: [
    'p',
    'div',
    'span',
    'a',
    'img',
    'pre',
    'code',
    'em',
    'strong',
    'b',
    'i',
    's',
    'del',
    'ins',
    'sub',
    'sup',
    'kbd',
    'br',
    'hr',
    'blockquote',
    'details',
    'summary',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'ul',
    'ol',
    'li',
    'dl',
    'dt',
    'dd',
    'table',
    'thead',
    'tbody',
    'tfoot',
    'tr',
    'th',
    'td',
  ],
  allowedAttributes: {
    a: ['href'],
    img: ['src', 'alt', 'width', 'height'],
    details: ['open'],
    ol: ['start'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedClasses: { '*': annotationClasses },
  allowedSchemes: ['http', 'https', 'mailto', 'itms-services', 'artifact'],
  allowedSchemesByTag: { img: ['http', 'https', 'artifact'] },
  allowedSchemesAppliedToAttributes: ['href', 'src'],
  /** These go with all that is in them. */
  nonTextTags: withContents,
  nestingLimit: 100,
} satisfies IOptions;
