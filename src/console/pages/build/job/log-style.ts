/** What SGR sequences have set so far: classes, and colours of the larger palettes. */
export interface LogStyle {
  readonly names: Set<string>;
  foreground: Rgb | null;
  background: Rgb | null;
}

/** Red, green and blue, 0 to 255. */
export type Rgb = readonly [number, number, number];

export const plainStyle = (): LogStyle => ({ names: new Set(), foreground: null, background: null });

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
/** Colours of `log.css`, on which and in which a log is written. */
const paper: Rgb = [0x10, 0x19, 0x1d];
const ink: Rgb = [0xe3, 0xeb, 0xee];
const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** Of text on what is behind it: the least that WCAG 2.2 asks for. */
const leastContrast = 4.5;

const switched: Readonly<Record<number, string>> = {
  1: 'ansi-bold',
  2: 'ansi-faint',
  3: 'ansi-italic',
  4: 'ansi-underline',
  7: 'ansi-inverse',
  9: 'ansi-struck',
};
const offs: Readonly<Record<number, readonly string[]>> = {
  22: ['ansi-bold', 'ansi-faint'],
  23: ['ansi-italic'],
  24: ['ansi-underline'],
  27: ['ansi-inverse'],
  29: ['ansi-struck'],
};

/** Applies the parameters of one `ESC [ … m`. */
export function applyStyle(style: LogStyle, parameters: string): void {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    const name = switched[code];
    if (code === 0) reset(style);
    else if (name !== undefined) style.names.add(name);
    else if (offs[code]) offs[code].forEach((each) => style.names.delete(each));
    else if (code === 38 || code === 48) i += extended(style, code === 38, codes, i);
    else applyColor(style, code);
  }
}

function reset(style: LogStyle): void {
  style.names.clear();
  style.foreground = null;
  style.background = null;
}

/** The sixteen colours, of which the bright ones are shown as the others. */
function applyColor(style: LogStyle, code: number): void {
  const isForeground = (code >= 30 && code <= 37) || (code >= 90 && code <= 97) || code === 39;
  const isBackground = (code >= 40 && code <= 47) || (code >= 100 && code <= 107) || code === 49;
  if (isForeground) setNamed(style, true, code === 39 ? null : (colors[code % 10] ?? null));
  else if (isBackground) setNamed(style, false, code === 49 ? null : (colors[code % 10] ?? null));
}

function setNamed(style: LogStyle, isForeground: boolean, name: string | null): void {
  const prefix = isForeground ? 'ansi-fg-' : 'ansi-bg-';
  for (const each of style.names) if (each.startsWith(prefix)) style.names.delete(each);
  if (isForeground) style.foreground = null;
  else style.background = null;
  if (name) style.names.add(`${prefix}${name}`);
}

/** `38;5;N` and `38;2;R;G;B`, and the same with 48; returns how many codes it took. */
function extended(style: LogStyle, isForeground: boolean, codes: readonly number[], at: number): number {
  const take = (color: Rgb) => {
    setNamed(style, isForeground, 'any');
    if (isForeground) style.foreground = color;
    else style.background = color;
  };
  if (codes[at + 1] === 5) {
    const index = codes[at + 2] ?? 0;
    if (index < 16) setNamed(style, isForeground, colors[index % 8] ?? null);
    else if (index <= 255) take(paletteColor(index));
    return 2;
  }
  if (codes[at + 1] !== 2) return 0;
  const part = (offset: number) => Math.min(255, Math.max(0, codes[at + offset] ?? 0));
  take([part(2), part(3), part(4)]);
  return 4;
}

/** Colour 16 to 255 of xterm: a cube of six levels a side, then 24 greys. */
export function paletteColor(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + 10 * (index - 232);
    return [grey, grey, grey];
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const cube = index - 16;
  return [level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)];
}

/** Custom properties with the colours of the larger palettes, as far as text in them can be read. */
export function colorsOf({ foreground, background }: LogStyle): Record<string, string> | undefined {
  if (!foreground && !background) return undefined;
  if (!background) return { '--ansi-fg': hex(readable(foreground ?? ink)) };
  const text = foreground ?? ink;
  // One of the two is always far enough from a colour: 4.58 at least.
  const better = contrast(white, background) >= contrast(black, background) ? white : black;
  return {
    '--ansi-bg': hex(background),
    '--ansi-fg': hex(contrast(text, background) >= leastContrast ? text : better),
  };
}

/** The colour itself, or as much nearer to white as text in it needs to be read on a log. */
export function readable(color: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.1) {
    const mixed = color.map((part) => Math.round(part + (255 - part) * share)) as unknown as Rgb;
    if (contrast(mixed, paper) >= leastContrast) return mixed;
  }
  return ink;
}

/** Contrast of two colours, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const hex = (color: Rgb) => `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
