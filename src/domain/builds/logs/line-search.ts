import { EscapeStripper } from './plain-text.js';

const newline = 0x0a;
/** Bytes of one line that are searched. */
const lineBytes = 64 * 1024;
const mostMatches = 10_000;

/** Finds the lines of a log that contain a text, in any case, as its bytes come. */
export class LineSearch {
  private readonly wanted: string;
  private readonly found: number[] = [];
  private line = 0;
  private held: Uint8Array[] = [];
  private heldBytes = 0;

  constructor(text: string) {
    this.wanted = text.toLowerCase();
  }

  /** Whether the search has found the most matches that it returns. */
  get full(): boolean {
    return this.found.length >= mostMatches;
  }

  push(bytes: Uint8Array): void {
    let from = 0;
    while (from < bytes.length && !this.full) {
      const end = bytes.indexOf(newline, from);
      this.hold(bytes.subarray(from, end < 0 ? bytes.length : end));
      if (end < 0) return;
      this.endLine();
      from = end + 1;
    }
  }

  /** Gives the numbers of the lines found, from 0. */
  end(): number[] {
    if (this.heldBytes > 0 && !this.full) this.endLine();
    return this.found;
  }

  private hold(part: Uint8Array): void {
    const room = lineBytes - this.heldBytes;
    if (room <= 0 || part.length === 0) return;
    // Copied: the reader may use its buffer again.
    this.held.push(Uint8Array.prototype.slice.call(part, 0, room));
    this.heldBytes += Math.min(part.length, room);
  }

  private endLine(): void {
    if (this.heldBytes > 0) {
      const text = new EscapeStripper().push(Buffer.concat(this.held).toString('utf8'));
      if (text.toLowerCase().includes(this.wanted)) this.found.push(this.line);
    }
    this.held = [];
    this.heldBytes = 0;
    this.line += 1;
  }
}
