import { isoTimeOf } from '../timestamp-mark.js';
import { entityOf } from './escape-html.js';
import type { Row } from './row.js';
import { applySgr, applySgrCode, isPlain, type Style, styleClasses } from './style.js';

/**
 * A row that a whole line of ordinary output has written from its beginning to its end: its HTML is made while the line
 * is read, and cells only if the cursor comes back to it. Most rows of most logs leave the screen as they are.
 */
export interface ReadyLine {
  html: string;
  /** What the line wrote, with its colours and without its mark of time and its end. */
  source: string;
  /** Colours and attributes at its beginning. */
  fg: number;
  bg: number;
  /** Milliseconds since the epoch. */
  stamp: bigint | null;
}

export const isReady = (row: Row | ReadyLine): row is ReadyLine => (row as Partial<ReadyLine>).source !== undefined;

const [lineFeed, carriageReturn, backspace, tab, bell, escape, space] = [10, 13, 8, 9, 7, 27, 32];
const markStart = '\u001b_bk;t=';
/** Lines this many times as long as a row are not worth reading: few of them fit. */
const longestSource = 4;
/** Digits of a time that is exact as a number. */
const longestTime = 15;

/**
 * Reads lines that need no screen: text and colours that fit in one row, with a mark of time before them at most and
 * ended by a line feed. One reader is used again for every line; what it found is in its fields.
 */
export class ReadyLines {
  /** After the line that was read, or where its first character stands that needs the screen. */
  end = 0;
  /** Colours and attributes after the line. */
  readonly style: Style = { fg: 0, bg: 0 };
  private time: number | null = null;

  constructor(
    private readonly columns: number,
    private readonly timestamps: boolean,
  ) {}

  /** Reads the line that begins at `start` in the given style; null where it needs the screen. */
  read(text: string, start: number, { fg, bg }: Style): ReadyLine | null {
    const { style } = this;
    style.fg = fg;
    style.bg = bg;
    const feed = text.indexOf('\n', start);
    if (feed < 0 || feed - start > this.columns * longestSource) {
      this.end = feed < 0 ? text.length : feed;
      return null;
    }
    const from = this.readMark(text, start);
    if (from < 0) return null;
    let html = this.timestamps && this.time !== null ? timeTag(this.time) : '';
    let at = from;
    let written = from;
    let width = 0;
    let last = 0;
    let spanFg = 0;
    let spanBg = 0;
    for (; ; at += 1) {
      const code = text.charCodeAt(at);
      const entity = code < 63 ? entityOf(code) : undefined;
      if (entity === undefined && isOrdinary(code)) continue;
      if (at > written || entity !== undefined) {
        if (style.fg !== spanFg || style.bg !== spanBg) {
          html += switchSpan(spanFg, spanBg, style.fg, style.bg);
          spanFg = style.fg;
          spanBg = style.bg;
        }
        html += text.slice(written, at);
        width += at - written;
        if (at > written) last = text.charCodeAt(at - 1);
        written = at;
      }
      if (entity !== undefined) {
        html += entity;
        last = code;
        width += 1;
        written += 1;
        continue;
      }
      if (code === escape) {
        const next = readColors(text, at, style);
        if (next > 0) {
          at = next - 1;
          written = next;
          continue;
        }
      }
      this.end = at;
      const lineEnd = endOfLine(text, at);
      // A line of nothing makes no row.
      if (lineEnd < 0 || width > this.columns || (width === 0 && this.time === null)) return null;
      this.end = lineEnd;
      const stamp = this.time === null ? null : BigInt(this.time);
      return {
        html: isPlain(spanFg, spanBg) ? trimmed(html, last) : `${html}</span>`,
        source: text.slice(from, at),
        fg,
        bg,
        stamp,
      };
    }
  }

  /**
   * Reads the mark of time, if the line begins with one. Returns where the text begins; below 0 for any other escape.
   */
  private readMark(text: string, start: number): number {
    this.time = null;
    this.end = start;
    if (text.charCodeAt(start) !== escape || text.charCodeAt(start + 1) !== 0x5f) return start;
    if (!text.startsWith(markStart, start)) return -1;
    let time = 0;
    const first = start + markStart.length;
    let at = first;
    for (; at <= first + longestTime; at += 1) {
      const digit = text.charCodeAt(at) - 48;
      if (!(digit >= 0 && digit <= 9)) break;
      time = time * 10 + digit;
    }
    if (at === first || at > first + longestTime || text.charCodeAt(at) !== bell) return -1;
    this.time = time;
    return at + 1;
  }
}

/** True for a character that fills a cell as it is; false at the end of the text too. */
function isOrdinary(code: number): boolean {
  if (code > escape) return code < 0xd800 || code > 0xdfff;
  return code < escape && code !== lineFeed && code !== carriageReturn && code !== backspace;
}

/** Writes the cells of a line into an empty row, for a cursor that comes back to it. */
export function writeCells(line: ReadyLine, row: Row): void {
  const style = { fg: line.fg, bg: line.bg };
  const { source } = line;
  for (let at = 0; at < source.length; at += 1) {
    const code = source.charCodeAt(at);
    if (code === escape) {
      at = readColors(source, at, style) - 1;
      continue;
    }
    row.codes[row.length] = code;
    row.fg[row.length] = style.fg;
    row.bg[row.length] = style.bg;
    row.length += 1;
  }
  row.stamp = line.stamp;
}

/**
 * Applies the control sequence at `at` if it sets colours or attributes, or erases the rest of the line, which is empty
 * here. Returns the index of its end; 0 for any other sequence.
 */
function readColors(text: string, at: number, style: Style): number {
  if (text.charCodeAt(at + 1) !== 0x5b) return 0;
  let number = 0;
  let next = at + 2;
  for (; next < at + 34; next += 1) {
    const code = text.charCodeAt(next);
    if (code >= 48 && code <= 57) number = number * 10 + code - 48;
    else if (code === 0x3b) number = Number.NaN;
    else if (code === 0x6d) {
      if (next === at + 2) applySgr(style, []);
      else if (Number.isNaN(number)) applySgr(style, parametersOf(text.slice(at + 2, next)));
      else applySgrCode(style, number);
      return next + 1;
    } else if (code === 0x4b) {
      return next === at + 2 || (next === at + 3 && number === 0) ? next + 1 : 0;
    } else return 0;
  }
  return 0;
}

const parametersOf = (text: string): string[] => text.split(';').filter((parameter) => parameter !== '');

/**
 * Index after the line feed that ends the line here, past carriage returns before it; negative if the line does not end
 * here.
 */
function endOfLine(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === carriageReturn) end += 1;
  return text.charCodeAt(end) === lineFeed ? end + 1 : -1;
}

function switchSpan(fg: number, bg: number, nextFg: number, nextBg: number): string {
  const close = isPlain(fg, bg) ? '' : '</span>';
  return isPlain(nextFg, nextBg) ? close : `${close}<span class="${styleClasses(nextFg, nextBg)}">`;
}

/** A line without blanks at its end, given its last character; to look at the line itself would copy it. */
function trimmed(html: string, last: number): string {
  if (last > space) return html;
  let end = html.length;
  for (; end > 0; end -= 1) {
    const code = html.charCodeAt(end - 1);
    if (code !== space && code !== tab) break;
  }
  return end === 0 ? '&nbsp;' : html.slice(0, end);
}

/** The last time that was written: lines of a log come in runs of the same one. */
let known = { time: Number.NaN, tag: '' };

function timeTag(time: number): string {
  if (known.time === time) return known.tag;
  const text = isoTimeOf(time);
  known = { time, tag: text === null ? '' : `<time datetime="${text}">${text}</time>` };
  return known.tag;
}
