import { HtmlWriter } from './html-writer.js';
import { TerminalParser } from './parser.js';
import { Screen } from './screen.js';

/** How to render: with times in front of lines (default), and how many rows to hold before giving lines out. */
export interface RenderOptions {
  timestamps?: boolean;
  /** Rows kept above and in the window; lines in them can still be rewritten by the log. */
  bufferRows?: number;
}

const window = { columns: 160, lines: 100 };

/**
 * Renders the bytes of a log as HTML, piece by piece and in bounded memory: however the bytes are cut, the
 * pieces put together are the same text. Never throws for any bytes. The last line has no newline.
 */
export class LogRenderer {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly writer: HtmlWriter;
  private readonly screen: Screen;
  private readonly parser: TerminalParser;

  constructor({ timestamps = true, bufferRows = 1000 }: RenderOptions = {}) {
    this.writer = new HtmlWriter(timestamps);
    const size = { columns: window.columns, lines: Math.min(window.lines, bufferRows), bufferRows };
    this.screen = new Screen(size, (row, next) => this.writer.row(row, next));
    this.parser = new TerminalParser(this.screen);
  }

  /** Takes the next bytes; gives the HTML that became final. */
  push(bytes: Uint8Array): string {
    this.parser.feed(this.decoder.decode(bytes, { stream: true }));
    return this.writer.take();
  }

  /** Gives the rest of the HTML. The renderer is not used after it. */
  end(): string {
    this.parser.feed(this.decoder.decode());
    this.screen.flush();
    this.writer.end();
    return this.writer.take();
  }
}

/** Renders a text held in memory, such as a terminal block of an annotation. */
export function renderTerminal(text: string | Uint8Array, options?: RenderOptions): string {
  const renderer = new LogRenderer(options);
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return renderer.push(bytes) + renderer.end();
}
