const newline = 0x0a;

/** Puts the time at the start of every line, as the APC sequence `ESC _ bk;t=<ms> BEL`. */
export class LineStamps {
  private atLineStart = true;

  constructor(private readonly now: () => number = Date.now) {}

  /** Whether the next byte begins a line. */
  get lineEnded(): boolean {
    return this.atLineStart;
  }

  /** A line is stamped when its first byte arrives, so the last newline of the log is followed by nothing. */
  push(bytes: Buffer): Buffer {
    if (bytes.length === 0) return bytes;
    const stamp = Buffer.from(`\x1b_bk;t=${this.now()}\x07`);
    const out: Buffer[] = [];
    let start = 0;
    while (start < bytes.length) {
      if (this.atLineStart) out.push(stamp);
      const end = bytes.indexOf(newline, start);
      this.atLineStart = end !== -1;
      const next = end === -1 ? bytes.length : end + 1;
      out.push(bytes.subarray(start, next));
      start = next;
    }
    return Buffer.concat(out);
  }
}
