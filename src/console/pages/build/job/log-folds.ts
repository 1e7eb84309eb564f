/** A stretch of lines under a header; `first` is the header's line, `end` the line behind the last. */
export interface Fold {
  first: number;
  end: number;
  open: boolean;
}

/** Which lines are on the screen: those of closed groups but their headers are not. */
export class Folds {
  private readonly starts: number[] = [];
  readonly rows: number;

  constructor(
    readonly folds: readonly Fold[],
    lineCount: number,
  ) {
    let hidden = 0;
    for (const fold of folds) {
      this.starts.push(fold.first - hidden);
      if (!fold.open) hidden += fold.end - fold.first - 1;
    }
    this.rows = lineCount - hidden;
  }

  /** The fold whose header or lines a row belongs to, by binary search; -1 before the first. */
  private at(values: readonly number[], target: number): number {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((values[middle] ?? 0) <= target) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  lineOfRow(row: number): number {
    const index = this.at(this.starts, row);
    const fold = this.folds[index];
    if (!fold) return row;
    const inside = row - (this.starts[index] ?? 0);
    if (fold.open || inside === 0) return fold.first + inside;
    return fold.end + inside - 1;
  }

  indexOfLine(line: number): number {
    return this.at(
      this.folds.map(({ first }) => first),
      line,
    );
  }

  /** The row of a line; of its header where its group is closed. */
  rowOfLine(line: number): number {
    const index = this.indexOfLine(line);
    const fold = this.folds[index];
    if (!fold) return line;
    const start = this.starts[index] ?? 0;
    if (fold.open) return start + line - fold.first;
    return line < fold.end ? start : start + 1 + line - fold.end;
  }
}

/**
 * Folds of the groups of a log. With `openLast` the last is open: there a failure stands, or all that there is to see.
 */
export function foldsOf(
  groups: readonly { readonly line: number; readonly open: boolean }[],
  lineCount: number,
  chosen: ReadonlyMap<number, boolean>,
  openLast: boolean,
): Fold[] {
  return groups.map(({ line, open }, index) => ({
    first: line,
    end: groups[index + 1]?.line ?? lineCount,
    open: chosen.get(line) ?? (open || (openLast && index === groups.length - 1)),
  }));
}
