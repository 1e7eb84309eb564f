import { elementFlag, linkFlag, type Style } from './style.js';
import { escapeAttribute } from './escape-html.js';
import { isReady, type ReadyLine, writeCells } from './ready-line.js';
import { Roll } from './roll.js';
import { type Link, type NextRow, Row } from './row.js';
import { safeUrl } from './url.js';

/** Called with each row that leaves the screen at its top. */
export interface ScrollOut {
  row(row: Row, next: NextRow): void;
  /** A row that is a line of its own, with its HTML. */
  ready(html: string): void;
  /** True if the row before the next one has left and the next one continues its line. */
  readonly inLine: boolean;
}

/** Size of the emulated window and of the rows kept above it, which bound the memory. */
export interface ScreenSize {
  columns: number;
  lines: number;
  bufferRows: number;
}

/** Most rows by which the cursor may be below the last row without creating rows. */
const maxAhead = 10_000;

/** Most characters of elements and link targets on the screen together. */
const maxWeight = 32 * 1024 * 1024;

/**
 * Most characters of one hyperlink's URL in all rows: every row repeats it, so a long URL before short lines would
 * become thousands of times as much HTML. Later rows are not linked.
 */
const maxLinkText = 32 * 1024;

/** State of a screen as plain data. */
export interface ScreenState {
  x: number;
  y: number;
  style: Style;
  link: Link | null;
  rows: (Row | ReadyLine)[];
  weight: number;
}

/**
 * Screen of a terminal whose window is the last `lines` rows of an unlimited scrollback. The cursor moves inside the
 * window only. Rows above the window are output, oldest first, once more than `bufferRows` are held. `y` counts from
 * the top of the window and may be below the last row: a row is created when something is written to it.
 */
export class Screen {
  x = 0;
  y = 0;
  readonly style: Style = { fg: 0, bg: 0 };
  private link: Link | null = null;
  private readonly rows: Roll<Row | ReadyLine>;
  private spare: Row | null = null;
  private weight = 0;

  constructor(
    readonly size: ScreenSize,
    private readonly scrollOut: ScrollOut,
    state?: ScreenState,
  ) {
    // One row more than are held comes before the oldest one leaves.
    this.rows = new Roll(Math.max(size.bufferRows + 1, state?.rows.length ?? 0));
    if (!state) return;
    const { rows, style, ...others } = state;
    Object.assign(this, others);
    Object.assign(this.style, style);
    // Rows come back from another thread as plain objects.
    for (const row of rows)
      this.rows.push(isReady(row) ? row : Object.assign(Object.create(Row.prototype) as Row, row));
  }

  /** All that is held, to go on from elsewhere. */
  state(): ScreenState {
    const { x, y, style, link, weight } = this;
    return { x, y, style, link, weight, rows: this.rows.all() };
  }

  /** Writes the characters `from` to `end` of a text that holds no control the parser knows. */
  write(text: string, from: number, end: number): void {
    const { columns } = this.size;
    const { fg, bg } = this.style;
    let i = from;
    while (i < end) {
      const row = this.rowForWriting();
      const start = this.x;
      row.padTo(start);
      let column = start;
      while (i < end && column < columns) {
        let code = text.charCodeAt(i++);
        if ((code & 0xfc00) === 0xd800 && i < end) {
          code = text.codePointAt(i - 1) ?? code;
          if (code > 0xffff) {
            i++;
            row.astral = true;
          }
        }
        row.codes[column] = code;
        row.fg[column] = fg;
        row.bg[column] = bg;
        column++;
      }
      if (bg & linkFlag) this.setLink(row, start, column);
      if (row.length < column) row.length = column;
      this.x = column;
    }
  }

  /** Puts a ready-made piece of HTML into one cell. Returns false where the screen holds too much already. */
  writeElement(html: string): boolean {
    const row = this.rowForWriting();
    if (!this.reserve(row, html.length)) return false;
    row.padTo(this.x);
    row.elements ??= [];
    row.codes[this.x] = row.elements.push(html) - 1;
    row.fg[this.x] = this.style.fg;
    row.bg[this.x] = this.style.bg | elementFlag;
    if (this.style.bg & linkFlag) this.setLink(row, this.x, this.x + 1);
    if (row.length <= this.x) row.length = this.x + 1;
    this.x++;
    return true;
  }

  /** Links the following text to a URL; the empty string ends the link. */
  setHyperlink(url: string): void {
    const href = url === '' ? '' : escapeAttribute(safeUrl(url));
    this.link = url === '' ? null : { url, href, left: Math.max(maxLinkText, href.length) };
    this.style.bg = url === '' ? this.style.bg & ~linkFlag : this.style.bg | linkFlag;
  }

  /** Marks the cursor's line with a time. */
  stamp(milliseconds: bigint): void {
    this.rowForWriting().stamp = milliseconds;
  }

  /** Line feed with carriage return. */
  newLine(): void {
    this.x = 0;
    const row = this.current();
    if (row) row.newline = true;
    this.y++;
    // The next write creates the missing rows; a large number of newlines is output now, so that they do not all come
    // at once.
    if (this.y > this.size.lines + maxAhead) this.rowForWriting();
  }

  /** The row under the cursor, if anything was written there or below. */
  current(): Row | undefined {
    return this.withCells(this.top() + this.y);
  }

  /** Rows of the window; with `scrollback`, all rows that are still held. */
  visible(scrollback: boolean): Row[] {
    const rows: Row[] = [];
    for (let index = scrollback ? this.rows.first : this.top(); index < this.rows.end; index += 1) {
      const row = this.withCells(index);
      if (row) rows.push(row);
    }
    return rows;
  }

  /** True where the next line begins a row of its own and nothing marks its characters as a link. */
  atNewRow(): boolean {
    if (this.x !== 0 || this.style.bg & linkFlag || this.top() + this.y < this.rows.end) return false;
    const last = this.rows.at(this.rows.end - 1);
    return last === undefined || isReady(last) || last.newline;
  }

  /** Writes a whole line at once, where {@link atNewRow} says so, and leaves the cursor after its line feed. */
  writeReady(line: ReadyLine, { fg, bg }: Style): void {
    this.spare = this.rowForWriting();
    this.rows.set(this.top() + this.y, line);
    this.style.fg = fg;
    this.style.bg = bg;
    this.y++;
  }

  /** Lets every row leave, oldest first: the end of the log. */
  flush(): void {
    while (this.rows.length > 0) this.scroll();
  }

  private top(): number {
    return Math.max(this.rows.first, this.rows.end - this.size.lines);
  }

  /** Returns the row to write to; wraps a cursor beyond the last column and adds rows as needed. */
  private rowForWriting(): Row {
    if (this.x === this.size.columns) {
      this.x = 0;
      const full = this.current();
      if (full) full.newline = false;
      this.y++;
    }
    let row = this.current();
    while (!row) {
      this.rows.push(this.emptyRow());
      // The window is the last rows of the roll: it moves down by one, the cursor stays on its row.
      if (this.y >= this.size.lines) this.y--;
      if (this.rows.length > this.size.bufferRows) this.scroll();
      row = this.current();
    }
    return row;
  }

  private emptyRow(): Row {
    const row = this.spare ?? new Row(this.size.columns);
    this.spare = null;
    return row;
  }

  /** The row of an index, as cells. */
  private withCells(index: number): Row | undefined {
    const row = this.rows.at(index);
    if (row === undefined || !isReady(row)) return row;
    const cells = this.emptyRow();
    writeCells(row, cells);
    this.rows.set(index, cells);
    return cells;
  }

  private scroll(): void {
    const row = this.rows.shift();
    if (!row) return;
    if (isReady(row)) {
      if (this.scrollOut.inLine) this.scrollCells(writtenOut(row, this.emptyRow()));
      else this.scrollOut.ready(row.html);
    } else this.scrollCells(row);
  }

  private scrollCells(row: Row): void {
    this.scrollOut.row(row, this.next);
    this.weight -= row.weight;
    row.recycle();
    this.spare = row;
  }

  private setLink(row: Row, from: number, end: number): void {
    const { link } = this;
    if (!link) return;
    row.links ??= new Map();
    if (row.links.get(from - 1) !== link && !this.spendLink(row, link)) {
      for (let column = from; column < end; column++) row.bg[column] = (row.bg[column] ?? 0) & ~linkFlag;
      return;
    }
    for (let column = from; column < end; column++) row.links.set(column, link);
  }

  private spendLink(row: Row, link: Link): boolean {
    const { length } = link.href;
    if (length > link.left || !this.reserve(row, length)) return false;
    link.left -= length;
    return true;
  }

  /** Returns the row that is `index` places after the oldest one. */
  private readonly next: NextRow = (index) => {
    const row = this.rows.at(this.rows.first + index);
    return row && isReady(row) ? { newline: true, stamp: row.stamp } : row;
  };

  private reserve(row: Row, amount: number): boolean {
    if (this.weight + amount > maxWeight) return false;
    this.weight += amount;
    row.weight += amount;
    return true;
  }
}

function writtenOut(line: ReadyLine, row: Row): Row {
  writeCells(line, row);
  return row;
}
