/**
 * A text style packed in two 32-bit words, so that a cell costs no object:
 * `fg` = colour (24 bits) | colour kind (2) | bold, faint, italic, underline, blink, strike (6);
 * `bg` = colour (24 bits) | colour kind (2) | element flag | hyperlink flag.
 */
export interface Style {
  fg: number;
  bg: number;
}

/** Set in `bg` of a cell that holds a ready-made element instead of a character. */
export const elementFlag = 1 << 26;
/** Set in `bg` of a cell that is part of a hyperlink. */
export const linkFlag = 1 << 27;

const colorMask = 0x3ffffff;
const namedColor = 1 << 24;
const paletteColor = 2 << 24;
const trueColor = 3 << 24;

const bold = 1 << 26;
const faint = 1 << 27;
const italic = 1 << 28;
const underline = 1 << 29;
const blink = 1 << 30;
const strike = 1 << 31;

const attributeClasses: readonly (readonly [flag: number, name: string])[] = [
  [bold, 'term-fg1'],
  [faint, 'term-fg2'],
  [italic, 'term-fg3'],
  [underline, 'term-fg4'],
  [blink, 'term-fg5'],
  [strike, 'term-fg9'],
];

/** True where neither a colour nor an attribute is set; element and hyperlink flags do not count. */
export function isPlain(fg: number, bg: number): boolean {
  return fg === 0 && (bg & colorMask) === 0;
}

/** True where two styles look the same; element and hyperlink flags do not count. */
export function sameStyle(fg: number, bg: number, otherFg: number, otherBg: number): boolean {
  return fg === otherFg && ((bg ^ otherBg) & colorMask) === 0;
}

/**
 * The value of the `class` attribute of a style: foreground, background, then 1 2 3 4 5 9
 *. A 24-bit colour is a style of its own but has no class.
 */
export function styleClasses(fg: number, bg: number): string {
  if (fg === known.fg && bg === known.bg) return known.classes;
  known = { fg, bg, classes: classesOf(fg, bg) };
  return known.classes;
}

/** Last requested style: consecutive runs often have the same one. */
let known = { fg: 0, bg: 0, classes: '' };

function classesOf(fg: number, bg: number): string {
  const names: string[] = [];
  const foreground = fg & 0xffffff;
  const background = bg & 0xffffff;
  if ((fg & trueColor) === namedColor) names.push(foreground < 90 ? `term-fg${foreground}` : `term-fgi${foreground}`);
  if ((fg & trueColor) === paletteColor) names.push(`term-fgx${foreground}`);
  if ((bg & trueColor) === namedColor) names.push(background < 100 ? `term-bg${background}` : `term-bgi${background}`);
  if ((bg & trueColor) === paletteColor) names.push(`term-bgx${background}`);
  for (const [flag, name] of attributeClasses) if (fg & flag) names.push(name);
  return names.join(' ');
}

/** Clears colours and attributes, and leaves the hyperlink, which SGR does not govern. */
function reset(style: Style): void {
  style.fg = 0;
  style.bg &= ~colorMask;
}

function setForeground(style: Style, color: number): void {
  style.fg = (style.fg & ~colorMask) | color;
}

function setBackground(style: Style, color: number): void {
  style.bg = (style.bg & ~colorMask) | color;
}

const simpleCodes: ReadonlyMap<number, (style: Style) => void> = new Map<number, (style: Style) => void>([
  [0, reset],
  [
    1,
    (s) => {
      s.fg = (s.fg | bold) & ~faint;
    },
  ],
  [
    2,
    (s) => {
      s.fg = (s.fg | faint) & ~bold;
    },
  ],
  [
    3,
    (s) => {
      s.fg |= italic;
    },
  ],
  [
    4,
    (s) => {
      s.fg |= underline;
    },
  ],
  [
    5,
    (s) => {
      s.fg |= blink;
    },
  ],
  [
    6,
    (s) => {
      s.fg |= blink;
    },
  ],
  [
    9,
    (s) => {
      s.fg |= strike;
    },
  ],
  [
    21,
    (s) => {
      s.fg &= ~(bold | faint);
    },
  ],
  [
    22,
    (s) => {
      s.fg &= ~(bold | faint);
    },
  ],
  [
    23,
    (s) => {
      s.fg &= ~italic;
    },
  ],
  [
    24,
    (s) => {
      s.fg &= ~underline;
    },
  ],
  [
    25,
    (s) => {
      s.fg &= ~blink;
    },
  ],
  [
    29,
    (s) => {
      s.fg &= ~strike;
    },
  ],
  [39, (s) => setForeground(s, 0)],
  [49, (s) => setBackground(s, 0)],
]);

function applySimple(style: Style, code: number): void {
  if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) return setForeground(style, namedColor | code);
  if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) return setBackground(style, namedColor | code);
  simpleCodes.get(code)?.(style);
}

/** Applies an SGR sequence of one parameter, in place. */
export function applySgrCode(style: Style, code: number): void {
  if (code <= 255) applySimple(style, code);
}

/**
 * Applies the parameters of one SGR sequence (`CSI … m`) to a style, in place.
 * No parameter means reset; anything that is not a number of 0 to 255 is passed over.
 */
export function applySgr(style: Style, parameters: readonly string[]): void {
  if (parameters.length === 0) return reset(style);
  if (parameters.length === 1) {
    return applySgrCode(style, Number(parameters[0]));
  }
  const codes = parameters.map(Number).filter((code) => Number.isInteger(code) && code <= 255);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code !== 38 && code !== 48) {
      applySimple(style, code);
      continue;
    }
    const set = code === 38 ? setForeground : setBackground;
    const kind = codes[++i];
    if (kind === 5) {
      const index = codes[++i];
      if (index !== undefined) set(style, paletteColor | index);
    } else if (kind === 2) {
      const [red, green, blue] = codes.slice(i + 1, i + 4);
      i += 3;
      if (red !== undefined && green !== undefined && blue !== undefined) {
        set(style, trueColor | (red << 16) | (green << 8) | blue);
      }
    }
  }
}
