/** Declarations by the class that has them. */
export type ClassStyles = Readonly<Record<string, string>>;

const sizes = ['0', 'var(--space-1)', 'var(--space-2)', 'var(--space-4)', 'var(--space-6)'];
const places: ClassStyles = {
  start: 'flex-start',
  end: 'flex-end',
  center: 'center',
  baseline: 'baseline',
  stretch: 'stretch',
  between: 'space-between',
  around: 'space-around',
};

/** Texts and lines, then grounds, of each colour: readable on the page and beside each other, light and dark. */
const colors: Readonly<Record<string, readonly [ink: string, ground: string]>> = {
  black: ['#16212a, #e7eef0', '#dfe3e6, #05080a'],
  gray: ['#5c6973, #a5b3b9', '#e6e9eb, #2c383e'],
  silver: ['#5f6a72, #c3ccd0', '#eef0f2, #2a373d'],
  white: ['#5c6973, #ffffff', '#ffffff, #222d32'],
  aqua: ['#0b6370, #6ee0e0', '#d9f5f7, #0e3a40'],
  blue: ['#1457a8, #82b8ff', '#dcebff, #16325c'],
  navy: ['#1c3a78, #9cc0ff', '#dbe4f7, #132347'],
  teal: ['#0b5d66, #5cc8bd', '#e0f0f1, #143236'],
  green: ['#14703a, #4fc77a', '#e3f5e8, #12301d'],
  olive: ['#5f6100, #cdd06a', '#f1f2d4, #31320c'],
  lime: ['#3b6d00, #a8e05f', '#e9f8d6, #21380a'],
  yellow: ['#755900, #f5c960', '#fff6d6, #3a2f08'],
  orange: ['#8f5100, #f0b44c', '#fff2d9, #35270f'],
  red: ['#b81f1f, #ff8080', '#fdeaea, #3a1a1c'],
  fuchsia: ['#a3188f, #ff9bee', '#fbe3f7, #3d1337'],
  purple: ['#6a45b0, #b79df0', '#f0eafb, #28204a'],
  maroon: ['#8a1c3c, #ff9db4', '#f8e1e7, #3a1420'],
};

/** Of terminals, whose ground is dark in both appearances: black, red, green, yellow, blue, magenta, cyan, white. */
const terminalInks = ['#93a5ac', '#ff8b8b', '#6fdc8c', '#f5c960', '#82b8ff', '#dfa3ff', '#6ee0e0', '#ffffff'];
const terminalGrounds = ['#05080a', '#7d2323', '#1d5a30', '#5c4709', '#214a83', '#5b2d75', '#145a5a', '#56656c'];

const named = (entries: (readonly [string, string])[]): ClassStyles => Object.fromEntries(entries);
const each = (words: string, style: (word: string) => readonly [string, string]): ClassStyles =>
  named(words.split(' ').map(style));

const texts: ClassStyles = {
  bold: 'font-weight:700',
  regular: 'font-weight:400',
  italic: 'font-style:italic',
  caps: 'text-transform:uppercase;letter-spacing:.08em',
  underline: 'text-decoration:underline',
  'left-align': 'text-align:left',
  center: 'text-align:center',
  'right-align': 'text-align:right',
  justify: 'text-align:justify',
  ...each('baseline top middle bottom', (word) => [`align-${word}`, `vertical-align:${word}`]),
  'list-reset': 'list-style:none;padding-left:0',
  truncate: 'max-width:100%;overflow:hidden;text-overflow:ellipsis;white-space:nowrap',
  ...named(['2', '1.5', '1.25', '1', '.875', '.75'].map((size, at) => [`h${at + 1}`, `font-size:${size}rem`])),
};

const boxes: ClassStyles = {
  fit: 'max-width:100%',
  ...each('inline block inline-block table table-cell flex', (word) => [word, `display:${word}`]),
  ...each('hidden scroll auto', (word) => [`overflow-${word}`, `overflow:${word}`]),
  'ml-auto': 'margin-left:auto',
  'mr-auto': 'margin-right:auto',
  'mx-auto': 'margin-inline:auto',
  'flex-column': 'flex-direction:column',
  'flex-wrap': 'flex-wrap:wrap',
  'flex-auto': 'flex:1 1 auto;min-width:0',
  'flex-none': 'flex:none',
  ...each('start end center baseline stretch', (word) => [`items-${word}`, `align-items:${places[word]}`]),
  ...each('start end center baseline stretch', (word) => [`self-${word}`, `align-self:${places[word]}`]),
  ...each('start end center between around', (word) => [`justify-${word}`, `justify-content:${places[word]}`]),
  ...each('start end center between around stretch', (word) => [`content-${word}`, `align-content:${places[word]}`]),
  ...each('0 1 2 3', (word) => [`order-${word}`, `order:${word}`]),
  'order-last': 'order:99999',
  ...spaces('m', 'margin'),
  ...spaces('p', 'padding'),
  ...named(sizes.slice(1).map((size, at) => [`mxn${at + 1}`, `margin-inline:calc(-1*${size})`])),
};

function spaces(letter: string, property: string): ClassStyles {
  const sides = { '': '', t: '-top', r: '-right', b: '-bottom', l: '-left', x: '-inline', y: '-block' };
  return named(
    Object.entries(sides).flatMap(([side, suffix]) =>
      sizes.map((size, at) => [`${letter}${side}${at}`, `${property}${suffix}:${size}`] as const),
    ),
  );
}

const looks: ClassStyles = {
  border: 'border:1px solid var(--line-strong)',
  rounded: 'border-radius:var(--radius-s)',
  ...each('top right bottom left', (word) => [`border-${word}`, `border-${word}:1px solid var(--line-strong)`]),
  'border-none': 'border:0',
  muted: 'color:var(--ink-3)',
  'bg-muted': 'background-color:var(--sunken)',
  ...named(Object.entries(colors).map(([name, [ink]]) => [name, `color:light-dark(${ink})`])),
  ...named(
    Object.entries(colors).map(([name, [, ground]]) => [`bg-${name}`, `background-color:light-dark(${ground})`]),
  ),
  ...named(Object.entries(colors).map(([name, [ink]]) => [`border-${name}`, `border-color:light-dark(${ink})`])),
  btn:
    'display:inline-block;padding:.3rem .75rem;border:1px solid var(--line-strong);border-radius:6px;' +
    'color:var(--ink);text-decoration:none',
  'btn-sm': 'padding:.1rem .5rem;font-size:var(--text-s)',
  'btn-lg': 'padding:.5rem 1rem',
  'btn-primary': 'background:var(--brand);border-color:var(--brand);color:var(--brand-ink)',
};

const terminal: ClassStyles = {
  term: 'padding:var(--space-3);overflow:auto;border-radius:6px;background:#10191d;color:#e3ebee',
  'term-fg1': 'font-weight:700',
  'term-fg2': 'color:#93a5ac',
  'term-fg3': 'font-style:italic',
  'term-fg4': 'text-decoration:underline',
  'term-fg9': 'text-decoration:line-through',
  ...named(
    terminalInks.flatMap((ink, at) => [`term-fg3${at}`, `term-fgi9${at}`].map((name) => [name, `color:${ink}`])),
  ),
  ...named(
    terminalGrounds.flatMap((ground, at) =>
      [`term-bg4${at}`, `term-bgi10${at}`].map((name) => [name, `background:${ground}`]),
    ),
  ),
};

const columns = (prefix: string): ClassStyles =>
  named(
    Array.from({ length: 12 }, (_, at) => [
      `${prefix}col-${at + 1}`,
      `box-sizing:border-box;width:${((at + 1) / 0.12).toFixed(4)}%`,
    ]),
  );

/** Classes that hold from a width of the window on, in rem. */
export const fromWidth: Readonly<Record<number, ClassStyles>> = {
  40: columns('sm-'),
  52: columns('md-'),
  64: columns('lg-'),
};

/** Styles of the classes that annotations may have (`domain/builds/annotations/allow-list.ts`), at any width. */
export const annotationStyles: ClassStyles = { ...texts, ...boxes, ...columns(''), ...looks, ...terminal };

const rulesOf = (styles: ClassStyles) =>
  Object.entries(styles)
    .map(([name, style]) => `.annotation-body .${name}{${style}}`)
    .join('');

/** Adds the styles to the document, once. The content security policy allows sheets that scripts construct. */
export function styleAnnotations(): void {
  if (sheet) return;
  sheet = new CSSStyleSheet();
  const wide = Object.entries(fromWidth).map(([rem, styles]) => `@media (min-width:${rem}rem){${rulesOf(styles)}}`);
  sheet.replaceSync(rulesOf(annotationStyles) + wide.join(''));
  document.adoptedStyleSheets.push(sheet);
}

let sheet: CSSStyleSheet | undefined;
