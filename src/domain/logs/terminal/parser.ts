import { readTimestampMark } from '../timestamp-mark.js';
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

/**
 * Reads terminal output and carries it out on a screen (rest-facts 8.3). Its state survives between calls,
 * so the text may be cut anywhere. A sequence it does not know loses its escape character and stays as text.
 */
export class TerminalParser {
  private mode: Mode = 'text';
  /** What was read of the sequence at hand, without its introducer. */
  private held = '';
  /** The introducer of the string at hand: `]` or `_`. */
  private introducer = '';
  private saved = { x: 0, y: 0 };
  private lastTime = 0n;

  constructor(private readonly screen: Screen) {}

  /** Takes the next piece of text. */
  feed(text: string): void {
    let at = 0;
    while (at < text.length) {
      if (this.mode === 'text') at = this.text(text, at);
      else if (this.mode === 'string') at = this.string(text, at);
      else at = this.one(text, at);
    }
  }

  private text(text: string, from: number): number {
    control.lastIndex = from;
    const found = control.exec(text);
    const end = found ? found.index : text.length;
    if (end > from) this.screen.write(text, from, end);
    if (!found) return end;
    if (found[0] === '\n') this.screen.newLine();
    else if (found[0] === '\r') this.screen.x = 0;
    else if (found[0] === '\b') this.screen.x = Math.max(0, this.screen.x - 1);
    else this.mode = 'escape';
    return end + 1;
  }

  /** Takes one character in the modes that look at each. Returns where to go on. */
  private one(text: string, at: number): number {
    const character = text[at] ?? '';
    if (this.mode === 'escape') return this.escape(character, at);
    if (this.mode === 'control') return this.control(character, at);
    if (this.mode === 'stringEscape') return this.stringEscape(character, at);
    // The name of a character set: one character, whatever it is.
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
    const found = stringEnd.exec(text);
    const end = found ? found.index : text.length;
    // An overlong string is read to its end but no longer kept: it is as if malformed, and shows nothing.
    if (this.held.length <= maxString) this.held += text.slice(from, end);
    if (!found) return end;
    if (found[0] === '\u0007') this.endString();
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

  /** Images and error texts stand on a line of their own. */
  private ownLine(): void {
    if (this.screen.x !== 0) this.screen.newLine();
    this.screen.current()?.clear(0, Number.MAX_SAFE_INTEGER);
  }

  private say(text: string): void {
    this.screen.write(text, 0, text.length);
  }
}
