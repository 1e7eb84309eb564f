import { readTimestampMark } from '../timestamp-mark.js';
import { ReadyLines } from './ready-line.js';
import { applyControlSequence, endsControlSequence } from './csi.js';
import { readElement } from './elements.js';
import type { Screen } from './screen.js';
import { SequenceError } from './tokens.js';

type Mode = 'text' | 'escape' | 'charset' | 'control' | 'string' | 'stringEscape';

/** Longest control sequence, and longest OSC or APC string, that is still taken for one. */
const maxControl = 1024;
const maxString = 1024 * 1024;

// eslint-disable-next-line no-control-regex -- finding control characters is the point
const control = /[\n\r\b\u001b]/g;
// eslint-disable-next-line no-control-regex -- finding control characters is the point
const stringEnd = /[\u0007\u001b]/g;

/** State of a parser between texts. */
export interface ParserState {
  mode: Mode;
  held: string;
  introducer: string;
  saved: { x: number; y: number };
  lastTime: bigint;
}

/**
 * Reads terminal output and carries it out on a screen. Its state survives between calls,
 * so the text may be cut anywhere. A sequence it does not know loses its escape character and stays as text.
 */
export class TerminalParser {
  private mode: Mode = 'text';
  /** Characters of the current sequence, without its introducer. */
  private held = '';
  /** The introducer of the string at hand: `]` or `_`. */
  private introducer = '';
  private saved = { x: 0, y: 0 };
  private lastTime = 0n;
  private readonly lines: ReadyLines;

  constructor(
    private readonly screen: Screen,
    timestamps: boolean,
    state?: ParserState,
  ) {
    this.lines = new ReadyLines(screen.size.columns, timestamps);
    if (state) Object.assign(this, state);
  }

  /** State to continue with the next text. */
  state(): ParserState {
    const { mode, held, introducer, saved, lastTime } = this;
    return { mode, held, introducer, saved, lastTime };
  }

  /** Takes the next piece of text. */
  feed(text: string): void {
    let at = 0;
    // Up to here a line that is being read needs the screen: nothing is read a second time.
    let tried = 0;
    while (at < text.length) {
      if (this.mode === 'text' && at >= tried && this.screen.atNewRow()) {
        const line = this.lines.read(text, at, this.screen.style);
        tried = this.lines.end;
        if (line) {
          this.screen.writeReady(line, this.lines.style);
          if (line.stamp !== null) this.lastTime = line.stamp;
          at = tried;
          continue;
        }
      }
      if (this.mode === 'text') at = this.text(text, at);
      else if (this.mode === 'string') at = this.string(text, at);
      else at = this.one(text, at);
    }
  }

  private text(text: string, from: number): number {
    control.lastIndex = from;
    const match = control.exec(text);
    const end = match ? match.index : text.length;
    if (end > from) this.screen.write(text, from, end);
    if (!match) return end;
    if (match[0] === '\n') this.screen.newLine();
    else if (match[0] === '\r') this.screen.x = 0;
    else if (match[0] === '\b') this.screen.x = Math.max(0, this.screen.x - 1);
    else this.mode = 'escape';
    return end + 1;
  }

  /** Takes one character in the modes that look at each. Returns where to go on. */
  private one(text: string, at: number): number {
    const character = text[at] ?? '';
    if (this.mode === 'escape') return this.escape(character, at);
    if (this.mode === 'control') return this.control(character, at);
    if (this.mode === 'stringEscape') return this.stringEscape(character, at);
    // Name of a character set: any one character.
    this.mode = 'text';
    return at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1);
  }

  private escape(character: string, at: number): number {
    this.mode = 'text';
    this.held = '';
    if (character === '[') this.mode = 'control';
    else if (character === ']' || character === '_') {
      this.mode = 'string';
      this.introducer = character;
    } else if (character === '(' || character === ')') this.mode = 'charset';
    else if (character === 'M') this.screen.y = Math.max(0, this.screen.y - 1);
    else if (character === '7') this.saved = { x: this.screen.x, y: this.screen.y };
    else if (character === '8') {
      this.screen.x = this.saved.x;
      this.screen.y = this.saved.y;
    } else if (character !== '=' && character !== '>') return at;
    return at + 1;
  }

  private control(character: string, at: number): number {
    if (/[0-9?;]/.test(character) && this.held.length < maxControl) {
      this.held += character;
      return at + 1;
    }
    this.mode = 'text';
    if (endsControlSequence(character)) {
      applyControlSequence(this.screen, character, this.held);
      return at + 1;
    }
    const shown = `[${this.held}`;
    this.screen.write(shown, 0, shown.length);
    return at;
  }

  private string(text: string, from: number): number {
    stringEnd.lastIndex = from;
    const match = stringEnd.exec(text);
    const end = match ? match.index : text.length;
    // An overlong string is read to its end but not stored; like a malformed one, it shows nothing.
    if (this.held.length <= maxString) this.held += text.slice(from, end);
    if (!match) return end;
    if (match[0] === '\u0007') this.endString();
    else this.mode = 'stringEscape';
    return end + 1;
  }

  private stringEscape(character: string, at: number): number {
    if (character === '\\') this.endString();
    else {
      this.mode = 'string';
      if (this.held.length <= maxString) this.held += `\u001b${character}`;
    }
    return at + 1;
  }

  private endString(): void {
    const content = this.held;
    this.mode = 'text';
    this.held = '';
    if (content.length > maxString) return;
    if (this.introducer === '_') this.applicationCommand(content);
    else this.systemCommand(content);
  }

  private applicationCommand(content: string): void {
    try {
      const mark = readTimestampMark(content, this.lastTime);
      if (!mark) return;
      this.lastTime = mark.last;
      if (mark.time !== null) this.screen.stamp(mark.time);
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      this.say(`*** Error parsing Buildkite APC ANSI escape sequence: ${error.message}`);
    }
  }

  private systemCommand(content: string): void {
    try {
      const element = readElement(content);
      if (!element) return;
      if (element.kind === 'hyperlink') return this.screen.setHyperlink(element.url);
      if (element.kind === 'image') this.ownLine();
      if (!this.screen.writeElement(element.html)) return;
      if (element.kind === 'image') this.screen.newLine();
    } catch (error) {
      if (!(error instanceof SequenceError)) throw error;
      this.ownLine();
      this.say(`*** Error parsing custom element escape sequence: ${error.message}`);
      this.screen.newLine();
    }
  }

  /** Shows images and error texts on separate lines. */
  private ownLine(): void {
    if (this.screen.x !== 0) this.screen.newLine();
    this.screen.current()?.clear(0, Number.MAX_SAFE_INTEGER);
  }

  private say(text: string): void {
    this.screen.write(text, 0, text.length);
  }
}
