import { type LogImage, readElement } from './log-elements.js';

/** A run of characters in one style, or an image among them. */
export interface LogSpan {
  text: string;
  className: string;
  href?: string;
  image?: LogImage;
}

export interface LogLineParts {
  spans: LogSpan[];
  /** The agent's time of the line, in milliseconds; null without one. */
  time: number | null;
}

const colors = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];
const timeMark = /\u001b_bk;t=(\d+)\u0007/g;
const otherStrings = /\u001b[_P^X][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
const sequence =
  /\u001b\](?<command>[^\u0007\u001b]*)(?:\u0007|\u001b\\)|\u001b\[(?<codes>[0-9;:?]*)(?<end>[@-~])|\u001b[ -/]*[0-~]/g;
const controls = /[\u0000-\u0008\u000b-\u001f\u007f]/g;
const address = /https?:\/\/[^\s"'<>)\]]+/g;

/** Reads one line as a terminal would show it: colours and weights, and only what a carriage return left to see. */
export function parseLine(raw: string): LogLineParts {
  let time: number | null = null;
  const line = raw.replace(timeMark, (_mark, milliseconds: string) => {
    time = Number(milliseconds);
    return '';
  });
  const visible = line.replace(otherStrings, '').replace(/\r+$/, '');
  const spans: LogSpan[] = [];
  const style = new Set<string>();
  let at = 0;
  let link: string | null = null;
  const take = (text: string) => {
    const clean = text.replace(controls, '');
    const className = [...style].join(' ');
    if (clean === '') return;
    if (link === null) spans.push(...withLinks(clean, className));
    else spans.push({ text: clean, className, href: link });
  };
  const insert = (command: string) => {
    const element = readElement(command);
    const className = [...style].join(' ');
    if (element?.kind === 'hyperlink') link = element.href;
    else if (element?.kind === 'link') spans.push({ text: element.text, className, href: element.href });
    else if (element) spans.push({ text: element.image.alt, className, image: element.image });
  };
  const shown = visible.slice(visible.lastIndexOf('\r') + 1);
  for (const match of shown.matchAll(sequence)) {
    take(shown.slice(at, match.index));
    at = match.index + match[0].length;
    const { command, codes, end } = match.groups ?? {};
    if (command !== undefined) insert(command);
    else if (end === 'm') applyStyle(style, codes ?? '');
  }
  take(shown.slice(at));
  return { spans, time };
}

function withLinks(text: string, className: string): LogSpan[] {
  const spans: LogSpan[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), className });
    spans.push({ text: match[0], className, href: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), className });
  return spans;
}

function replaceOf(style: Set<string>, prefix: string, name: string | null) {
  for (const each of style) if (each.startsWith(prefix)) style.delete(each);
  if (name) style.add(`${prefix}${name}`);
}

function applyStyle(style: Set<string>, parameters: string) {
  const codes = parameters.split(/[;:]/).map(Number);
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i] ?? 0;
    if (code === 0) style.clear();
    else if (code === 1) style.add('ansi-bold');
    else if (code === 2) style.add('ansi-faint');
    else if (code === 3) style.add('ansi-italic');
    else if (code === 4) style.add('ansi-underline');
    else if (code === 22) ['ansi-bold', 'ansi-faint'].forEach((name) => style.delete(name));
    else if (code === 23) style.delete('ansi-italic');
    else if (code === 24) style.delete('ansi-underline');
    else if (code === 38 || code === 48) {
      const [name, used] = extended(codes, i);
      replaceOf(style, code === 38 ? 'ansi-fg-' : 'ansi-bg-', name);
      i += used;
    } else if (code === 39) replaceOf(style, 'ansi-fg-', null);
    else if (code === 49) replaceOf(style, 'ansi-bg-', null);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97))
      replaceOf(style, 'ansi-fg-', colors[code % 10] ?? null);
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107))
      replaceOf(style, 'ansi-bg-', colors[code % 10] ?? null);
  }
}

/** Colours of the larger palettes are shown as the nearest of the eight, which have enough contrast in both themes. */
function extended(codes: number[], at: number): [string | null, number] {
  if (codes[at + 1] === 5) {
    const index = codes[at + 2] ?? 0;
    if (index < 16) return [colors[index % 8] ?? null, 2];
    if (index > 231) return ['white', 2];
    const cube = index - 16;
    return [nearest(Math.floor(cube / 36) / 5, (Math.floor(cube / 6) % 6) / 5, (cube % 6) / 5), 2];
  }
  if (codes[at + 1] === 2) {
    return [nearest((codes[at + 2] ?? 0) / 255, (codes[at + 3] ?? 0) / 255, (codes[at + 4] ?? 0) / 255), 4];
  }
  return [null, 0];
}

const nearest = (red: number, green: number, blue: number) =>
  colors[(red > 0.5 ? 1 : 0) + (green > 0.5 ? 2 : 0) + (blue > 0.5 ? 4 : 0)] ?? 'white';
