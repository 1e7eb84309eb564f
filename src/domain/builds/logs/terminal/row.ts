/** A hyperlink of the log, shared by all cells it spans. */
export interface Link {
  url: string;
  /** The escaped value of the `href` attribute. */
  href: string;
  /** Characters of `href` that may still be written: it is repeated in every row. */
  left: number;
}

/**
 * One row of the screen: cells as parallel typed arrays, so that writing a character allocates nothing. A row without a
 * newline continues in the next row (it was wrapped at the window's width).
 */
export class Row {
  readonly codes: Uint32Array;
  readonly fg: Int32Array;
  readonly bg: Int32Array;
  length = 0;
  newline = true;
  /** True once a character beyond U+FFFF was written; lets the common case take the cheaper path. */
  astral = false;
  /** The line's time in milliseconds since the epoch, from the agent's timestamp marks. */
  stamp: bigint | null = null;
  /** HTML of element cells, by the number in the cell's code. */
  elements: string[] | null = null;
  /** Hyperlink by column. */
  links: Map<number, Link> | null = null;
  /** Number of characters in elements and links of the row; the screen limits the sum of all rows. */
  weight = 0;

  constructor(columns: number) {
    this.codes = new Uint32Array(columns);
    this.fg = new Int32Array(columns);
    this.bg = new Int32Array(columns);
  }

  /** Resets the row for reuse. */
  recycle(): void {
    this.length = 0;
    this.newline = true;
    this.astral = false;
    this.stamp = null;
    this.elements = null;
    this.links = null;
    this.weight = 0;
  }

  /** Fills up with plain blanks so that column `x` can be written. */
  padTo(x: number): void {
    if (this.length < x) this.blank(this.length, x);
  }

  /** Erases everything; times and wrapped continuations are treated as the field's reference does. */
  clearAll(): void {
    this.length = 0;
    this.newline = true;
  }

  /** Erases columns `from` to `to`, both included; erasing up to the end shortens the row. */
  clear(from: number, to: number): void {
    if (from >= this.length || to < from) return;
    if (to >= this.length - 1) this.length = from;
    else this.blank(from, to + 1);
  }

  private blank(from: number, end: number): void {
    this.codes.fill(0x20, from, end);
    this.fg.fill(0, from, end);
    this.bg.fill(0, from, end);
    if (this.length < end) this.length = end;
  }
}

/** Looks at the rows after a row, by their place. */
export type NextRow = (index: number) => Pick<Row, 'newline' | 'stamp'> | undefined;
