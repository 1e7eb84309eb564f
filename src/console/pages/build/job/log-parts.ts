import { type LogImage, readElement } from './log-elements.js';
import { applyStyle, colorsOf, plainStyle } from './log-style.js';

/** A run of characters in one style, or an image among them. */
export interface LogSpan {
  text: string;
  className: string;
  /** Custom properties with colours that no class has. */
  colors?: Record<string, string> | undefined;
  href?: string;
  image?: LogImage;
}

type Look = Pick<LogSpan, 'className' | 'colors'>;

export interface LogLineParts {
  spans: LogSpan[];
  /** The agent's time of the line, in milliseconds; null without one. */
  time: number | null;
}

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
  const style = plainStyle();
  let at = 0;
  let link: string | null = null;
  const look = (): Look => {
    const colors = colorsOf(style);
    return { className: [...style.names].join(' '), ...(colors ? { colors } : {}) };
  };
  const take = (text: string) => {
    const clean = text.replace(controls, '');
    if (clean === '') return;
    if (link === null) spans.push(...withLinks(clean, look()));
    else spans.push({ text: clean, ...look(), href: link });
  };
  const insert = (command: string) => {
    const element = readElement(command);
    if (element?.kind === 'hyperlink') link = element.href;
    else if (element?.kind === 'link') spans.push({ text: element.text, ...look(), href: element.href });
    else if (element) spans.push({ text: element.image.alt, ...look(), image: element.image });
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

function withLinks(text: string, look: Look): LogSpan[] {
  const spans: LogSpan[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), ...look });
    spans.push({ text: match[0], ...look, href: match[0] });
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), ...look });
  return spans;
}
