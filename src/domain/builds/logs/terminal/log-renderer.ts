import { escapeText } from './escape-html.js';
import { HtmlWriter, type WriterState } from './html-writer.js';
import { type ParserState, TerminalParser } from './parser.js';
import { Screen, type ScreenState } from './screen.js';

/** Rendering options: whether lines have times (default), and the number of rows held before older ones are output. */
export interface RenderOptions {
  timestamps?: boolean;
  /** Rows kept above and in the window; lines in them can still be rewritten by the log. */
  bufferRows?: number;
}

/** A renderer between two pieces, as data that can go to another thread. */
export interface RendererState {
  parser: ParserState;
  screen: ScreenState;
  writer: WriterState;
  /** The beginning of a character whose end is in the next piece. */
  bytes: Uint8Array;
  consumed: number;
  produced: number;
  cut: boolean;
}

const window = { columns: 160, lines: 100 };

/**
 * Limit on a log's HTML: this many characters for each character of the log, plus an allowance. Colored lines need
 * about ten, single colored letters about forty; a log that needs more was written to be large.
 */
const outputRatio = 64;
const outputAllowance = 256 * 1024;
/**
 * Interval at which the length is checked, in characters of the log; fixed, so that the result does not depend on how
 * the bytes arrive.
 */
const stride = 16 * 1024;

/** Notice at the end of HTML that exceeded its limit. */
export const cutNotice = 'The rest of this log is not shown: it becomes too large as HTML. Read it as plain text.';

/**
 * Renders the bytes of a log as HTML, piece by piece and in bounded memory: however the bytes are cut, the
 * pieces put together are the same text. Never throws for any bytes. The last line has no newline. The HTML is cut,
 * with a notice, where it would be more than 64 times as long as the log.
 */
export class LogRenderer {
  private readonly writer: HtmlWriter;
  private readonly screen: Screen;
  private readonly parser: TerminalParser;
  private bytes: Uint8Array;
  private consumed: number;
  private produced: number;
  private cut: boolean;

  /** Starts a log, or continues from the state of a renderer with the same options. */
  constructor({ timestamps = true, bufferRows = 1000 }: RenderOptions = {}, state?: RendererState | null) {
    this.writer = new HtmlWriter(timestamps, state?.writer);
    const size = { columns: window.columns, lines: Math.min(window.lines, bufferRows), bufferRows };
    this.screen = new Screen(size, this.writer, state?.screen);
    this.parser = new TerminalParser(this.screen, timestamps, state?.parser);
    this.bytes = state?.bytes ?? new Uint8Array();
    this.consumed = state?.consumed ?? 0;
    this.produced = state?.produced ?? 0;
    this.cut = state?.cut ?? false;
  }

  /** Takes the next bytes; gives the HTML that became final. */
  push(bytes: Uint8Array): string {
    const all = this.bytes.length === 0 ? bytes : Buffer.concat([this.bytes, bytes]);
    const end = endOfCharacters(all);
    this.bytes = all.slice(end);
    return this.feed(decode(all.subarray(0, end)));
  }

  /** Gives the rest of the HTML. The renderer is not used after it. */
  end(): string {
    const html = this.feed(decode(this.bytes));
    if (this.cut) return html;
    this.screen.flush();
    this.writer.end();
    return html + this.writer.take();
  }

  /** Whether the rest of the log is left out. */
  get isCut(): boolean {
    return this.cut;
  }

  /** All that is needed to go on with the next bytes. Shares memory with this renderer, which is not used after it. */
  state(): RendererState {
    const { bytes, consumed, produced, cut } = this;
    return {
      parser: this.parser.state(),
      screen: this.screen.state(),
      writer: this.writer.state(),
      bytes,
      consumed,
      produced,
      cut,
    };
  }

  private feed(text: string): string {
    let html = '';
    for (let at = 0; at < text.length && !this.cut;) {
      const end = Math.min(text.length, at + stride - (this.consumed % stride));
      this.parser.feed(text.slice(at, end));
      this.consumed += end - at;
      at = end;
      const piece = this.writer.take();
      this.produced += piece.length;
      html += piece;
      if (this.consumed % stride === 0 && this.produced > outputAllowance + outputRatio * this.consumed) {
        this.cut = true;
        html += this.writer.cutShort(escapeText(cutNotice));
      }
    }
    return html;
  }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Returns the end of the last whole character; the bytes after it begin a character that is incomplete. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** Bytes of the UTF-8 sequence that starts with this byte. */
function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4;
  return first >= 0xe0 ? 3 : 2;
}
