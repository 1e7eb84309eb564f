import { fail } from './problem.js';

const named: Readonly<Record<string, string>> = {
  n: '\n',
  s: ' ',
  r: '\r',
  t: '\t',
  v: '\v',
  f: '\f',
  b: '\b',
  a: '\x07',
  e: '\x1b',
};

/** One escape of a double-quoted string: text, or a byte, and where it ends. */
export type Escape = { text: string; next: number } | { byte: number; next: number };

/**
 * Reads the escape whose backslash is at `at`: a control letter, two hex digits, one to three octal digits, or any
 * other character, which means itself. Reads nothing at or after `end`.
 */
export function readEscape(source: string, at: number, end: number): Escape {
  const letter = source.slice(at + 1, Math.min(end, at + 2));
  if (letter === '') fail('parse', 'unfinished escape', at + 1);
  const control = named[letter];
  if (control !== undefined) return { text: control, next: at + 2 };
  const digits = source.slice(at + 1, Math.min(end, at + 4));
  const hex = /^x([0-9A-Fa-f]{2})/.exec(digits);
  if (hex?.[1]) return { byte: parseInt(hex[1], 16), next: at + 4 };
  const octal = /^[0-7]{1,3}/.exec(digits);
  if (octal) {
    const byte = parseInt(octal[0], 8);
    if (byte > 0xff) fail('parse', `octal escape out of range: \\${octal[0]}`, at + 1);
    return { byte, next: at + 1 + octal[0].length };
  }
  return { text: letter, next: at + 2 };
}

/** Collects text and single bytes; bytes that follow each other are read together as UTF-8. */
export class TextCollector {
  #text = '';
  #bytes: number[] = [];

  add(piece: string): void {
    this.#flush();
    this.#text += piece;
  }

  addEscape(escape: Escape): void {
    if ('byte' in escape) this.#bytes.push(escape.byte);
    else this.add(escape.text);
  }

  /** Returns the collected text and starts over. */
  take(): string {
    this.#flush();
    const text = this.#text;
    this.#text = '';
    return text;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.#text += new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(this.#bytes));
    this.#bytes = [];
  }
}
