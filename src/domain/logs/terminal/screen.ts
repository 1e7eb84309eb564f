import { elementFlag, linkFlag, type Style } from './style.js';
import { Row } from './row.js';

/** Called with each row that leaves the screen at its top; `next` looks at the rows that follow it. */
export type ScrollOut = (row: Row, next: (index: number) => Row | undefined) => void;

/** Size of the emulated window (rest-facts 8.3) and of the rows kept above it, which bound the memory. */
export interface ScreenSize {
  columns: number;
  lines: number;
  bufferRows: number;
}

/** How far below the last row the cursor may go without rows being made. */
const maxAhead = 10_000;

/** What elements and link targets on screen may hold together, in characters. */
const maxWeight = 32 * 1024 * 1024;

/**
 * The screen of a terminal whose window is the last `lines` rows of an endless roll.
 * The cursor moves inside the window only; rows above it leave, oldest first, once more than
 * `bufferRows` are held. `y` counts from the top of the window and may lie below the last row:
 * rows come into being when something is written to them.
 */
export class Screen {
  x = 0;
  y = 0;
  readonly style: Style = { fg: 0, bg: 0 };
  private link = '';
  /** Rows that left stay in front of `first` until there are many: shifting at every line would cost more than the line. */
  private readonly rows: Row[] = [];
  private first = 0;
  private spare: Row | null = null;
  private weight = 0;

  constructor(readonly size: ScreenSize, private readonly scrollOut: ScrollOut) {}

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

  /** Links what is written from now on to a URL; the empty string ends the link. */
  setHyperlink(url: string): void {
    this.link = url;
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
    // Rows come with the next write; far more newlines than that are given out now, lest they come all at once.
    if (this.y > this.size.lines + maxAhead) this.rowForWriting();
  }

  /** The row under the cursor, if anything was written there or below. */
  current(): Row | undefined {
    return this.rows[this.top() + this.y];
  }

  /** The rows of the window; with `scrollback`, all rows still held. */
  visible(scrollback: boolean): Row[] {
    return this.rows.slice(scrollback ? this.first : this.top());
  }

  /** Lets every row leave, oldest first: the end of the log. */
  flush(): void {
    while (this.held() > 0) this.scroll();
  }

  private top(): number {
    return Math.max(this.first, this.rows.length - this.size.lines);
  }

  private held(): number {
    return this.rows.length - this.first;
  }

  /** The row to write to, wrapping a cursor that stands past the last column and adding rows as needed. */
  private rowForWriting(): Row {
    if (this.x === this.size.columns) {
      this.x = 0;
      const full = this.current();
      if (full) full.newline = false;
      this.y++;
    }
    let row = this.current();
    while (!row) {
      this.rows.push(this.spare ?? new Row(this.size.columns));
      this.spare = null;
      // The window is the last rows of the roll: it moves down by one, the cursor stays on its row.
      if (this.y >= this.size.lines) this.y--;
      if (this.held() > this.size.bufferRows) this.scroll();
      row = this.current();
    }
    return row;
  }

  private scroll(): void {
    const row = this.rows[this.first++];
    if (!row) return;
    this.scrollOut(row, this.next);
    if (this.first > this.size.bufferRows) {
      this.rows.splice(0, this.first);
      this.first = 0;
    }
    this.weight -= row.weight;
    row.recycle();
    this.spare = row;
  }

  private setLink(row: Row, from: number, end: number): void {
    row.links ??= new Map();
    if (row.links.get(from - 1) !== this.link && !this.reserve(row, this.link.length)) {
      for (let column = from; column < end; column++) row.bg[column] = (row.bg[column] ?? 0) & ~linkFlag;
      return;
    }
    for (let column = from; column < end; column++) row.links.set(column, this.link);
  }

  /** The row that is `index` places behind the one that leaves. */
  private readonly next = (index: number): Row | undefined => this.rows[this.first + index];

  private reserve(row: Row, amount: number): boolean {
    if (this.weight + amount > maxWeight) return false;
    this.weight += amount;
    row.weight += amount;
    return true;
  }
}
