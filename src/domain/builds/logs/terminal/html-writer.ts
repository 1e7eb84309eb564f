import { isoTime } from '../timestamp-mark.js';
import { escapeText } from './escape-html.js';
import type { NextRow, Row } from './row.js';
import { sanitiseLine } from './sanitise.js';
import { elementFlag, isPlain, linkFlag, sameStyle, styleClasses } from './style.js';

type Tag = 'a' | 'span';
const closing: Readonly<Record<Tag, string>> = { a: '</a>', span: '</span>' };

/** Characters after which a wrapped line is written in pieces, so that an endless line needs bounded memory. */
const maxPiece = 64 * 1024;

/** The characters of columns `from` to `end` as text. */
function textOf(row: Row, from: number, end: number): string {
  let text = '';
  if (end - from < 12) {
    for (let x = from; x < end; x++) text += String.fromCodePoint(row.codes[x] ?? 0x20);
    return text;
  }
  const codes = row.codes.subarray(from, end) as unknown as number[];
  return row.astral ? String.fromCodePoint(...codes) : String.fromCharCode.apply(null, codes);
}

/** The length of a line without its trailing blanks. */
function endOfText(line: string): number {
  let end = line.length;
  while (end > 0 && (line.charCodeAt(end - 1) === 0x20 || line.charCodeAt(end - 1) === 0x09)) end--;
  return end;
}

/** State of a writer between rows. */
export interface WriterState {
  line: string;
  lineOpen: boolean;
  lineGivenOut: boolean;
  first: boolean;
  carriesUrl: boolean;
  open: Tag[];
  fg: number;
  bg: number;
}

/**
 * Turns rows that left the screen into lines of HTML. Wrapped rows are joined again; trailing blanks go;
 * an empty line is `&nbsp;`; lines are separated, not ended, by a newline.
 */
export class HtmlWriter {
  private output = '';
  private line = '';
  private lineOpen = false;
  private lineGivenOut = false;
  private first = true;
  private carriesUrl = false;
  private open: Tag[] = [];
  private fg = 0;
  private bg = 0;

  constructor(
    private readonly timestamps: boolean,
    state?: WriterState,
  ) {
    if (state) Object.assign(this, state);
  }

  /** State to continue elsewhere; finished HTML was taken before. */
  state(): WriterState {
    const { line, lineOpen, lineGivenOut, first, carriesUrl, open, fg, bg } = this;
    return { line, lineOpen, lineGivenOut, first, carriesUrl, open, fg, bg };
  }

  /** Takes the next row; `next` shows the rows after it, among which the rest of its line is. */
  row(row: Row, next: NextRow): void {
    if (!this.lineOpen) this.beginLine(row, next);
    this.cells(row);
    if (row.newline) this.endLine();
    else if (this.line.length > maxPiece) this.giveOutPiece();
  }

  /** True inside a line whose next row is still to come. */
  get inLine(): boolean {
    return this.lineOpen;
  }

  /** Takes a row that is a line of its own and whose HTML was made before. */
  ready(html: string): void {
    this.output += this.first ? html : `\n${html}`;
    this.first = false;
  }

  /** Returns the finished HTML. */
  take(): string {
    const { output } = this;
    this.output = '';
    return output;
  }

  /** Ends the line at hand and gives a last one with a notice, which is HTML. */
  cutShort(notice: string): string {
    if (this.lineOpen) this.endLine();
    const html = `${this.take()}${this.first ? '' : '\n'}${notice}`;
    this.first = false;
    return html;
  }

  /** Ends the last line, if it was left open. */
  end(): void {
    if (this.lineOpen) this.endLine();
  }

  private beginLine(row: Row, next: NextRow): void {
    if (!this.first) this.output += '\n';
    this.first = false;
    this.lineOpen = true;
    this.lineGivenOut = false;
    this.fg = 0;
    this.bg = 0;
    if (!this.timestamps) return;
    let { stamp } = row;
    for (let i = 0, part: ReturnType<NextRow> = row; part && !part.newline; i++) {
      part = next(i);
      stamp = part?.stamp ?? stamp;
    }
    const time = stamp === null ? null : isoTime(stamp);
    if (time !== null) this.line += `<time datetime="${time}">${time}</time>`;
  }

  private endLine(): void {
    this.closeFrom(0);
    this.giveOut(this.line.slice(0, endOfText(this.line)));
    if (!this.lineGivenOut) this.output += '&nbsp;';
    this.line = '';
    this.lineOpen = false;
  }

  private giveOutPiece(): void {
    // Blanks wait for the next character, because blanks at the end of a line are dropped; a piece of only blanks does
    // not wait.
    const end = endOfText(this.line) || this.line.length;
    this.giveOut(this.line.slice(0, end));
    this.line = this.line.slice(end);
  }

  private giveOut(html: string): void {
    if (html === '') return;
    this.output += this.carriesUrl ? sanitiseLine(html) : html;
    this.lineGivenOut = true;
    this.carriesUrl = this.open.includes('a');
  }

  private cells(row: Row): void {
    let x = 0;
    while (x < row.length) {
      const fg = row.fg[x] ?? 0;
      const bg = row.bg[x] ?? 0;
      this.switchTo(row, x, fg, bg);
      if (bg & elementFlag) {
        this.carriesUrl = true;
        this.line += row.elements?.[row.codes[x] ?? 0] ?? '';
        x++;
        continue;
      }
      let end = x + 1;
      while (end < row.length && row.fg[end] === fg && row.bg[end] === bg && !this.newLink(row, end, bg)) end++;
      this.line += escapeText(textOf(row, x, end));
      x = end;
    }
  }

  /** True where a linked cell has another target than the cell before it in the same row. */
  private newLink(row: Row, x: number, bg: number): boolean {
    return (bg & linkFlag) !== 0 && row.links?.get(x - 1)?.url !== row.links?.get(x)?.url;
  }

  /** Closes and opens tags for the style and link of the cell at `x`. */
  private switchTo(row: Row, x: number, fg: number, bg: number): void {
    const linkChanged = ((bg ^ this.bg) & linkFlag) !== 0 || this.newLink(row, x, bg);
    const styleChanged = !sameStyle(fg, bg, this.fg, this.bg);
    this.fg = fg;
    this.bg = bg;
    if (!linkChanged && !styleChanged) return;
    if (this.open.length > 0) {
      const stale = this.open.findIndex((tag) => (tag === 'a' ? linkChanged : styleChanged));
      if (stale >= 0) this.closeFrom(stale);
    }
    if (bg & linkFlag && !this.open.includes('a')) {
      this.carriesUrl = true;
      this.line += `<a href="${row.links?.get(x)?.href ?? ''}">`;
      this.open.push('a');
    }
    if (!isPlain(fg, bg) && !this.open.includes('span')) {
      this.line += `<span class="${styleClasses(fg, bg)}">`;
      this.open.push('span');
    }
  }

  private closeFrom(index: number): void {
    while (this.open.length > index) this.line += closing[this.open.pop() ?? 'span'];
  }
}
