import { fail } from './problem.js';
import { parseTemplate, readExpansion, readSingleQuoted } from './shell.js';
import type { Expansion, Template } from './shell.js';

export type Sign = '==' | '!=' | '=~' | '!~' | '&&' | '||' | '!' | '?' | ':' | '(' | ')' | '[' | ']' | ',' | 'includes';

/** One token; `column` is the 1-based position of its first character. */
export type Token =
  | { type: 'symbol'; text: Sign; column: number }
  | { type: 'keyword'; text: 'true' | 'false' | 'null'; column: number }
  | { type: 'identifier'; text: string; column: number }
  | { type: 'integer'; text: string; value: number; column: number }
  | { type: 'string'; text: string; template: Template; column: number }
  | { type: 'shell'; text: string; expansion: Expansion; column: number }
  | { type: 'regexp'; text: string; pattern: string; flags: string; column: number }
  | { type: 'end'; text: ''; column: number };

const blank = /(?:[ \t\r\n]|\/\/[^\n]*)*/y;
const signs = /==|!=|=~|!~|&&|\|\||[!?:()[\],]/y;
const word = /[A-Za-z_][A-Za-z0-9_.]*/y;
const digits = /[0-9]+/y;
const regexp = /\/((?:[^\\/]|\\[^])*)\/([A-Za-z_]*)/y;

function read(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}

function wordToken(text: string, column: number): Token {
  if (text === 'includes') return { type: 'symbol', text, column };
  if (text === 'true' || text === 'false' || text === 'null') return { type: 'keyword', text, column };
  if (text.endsWith('.') || text.includes('..')) fail('parse', `invalid dotted identifier: ${text}`, column);
  return { type: 'identifier', text, column };
}

function integerToken(text: string, column: number): Token {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) fail('parse', `integer is too large: ${text}`, column);
  return { type: 'integer', text, value, column };
}

function stringToken(source: string, at: number): Token {
  const quote = source[at];
  let close = at + 1;
  while (close < source.length && source[close] !== quote) close += source[close] === '\\' ? 2 : 1;
  if (close >= source.length) fail('parse', 'unterminated string', at + 1);
  const template =
    quote === '"' ? parseTemplate(source, at + 1, close, false) : [readSingleQuoted(source, at + 1, close)];
  return { type: 'string', text: source.slice(at, close + 1), template, column: at + 1 };
}

function shellToken(source: string, at: number): Token {
  const result = readExpansion(source, at, source.length);
  if (!result) fail('parse', 'invalid shell expansion', at + 1);
  return { type: 'shell', text: source.slice(at, result.next), expansion: result.expansion, column: at + 1 };
}

function tokenAt(source: string, at: number): Token {
  const column = at + 1;
  const char = source[at];
  if (char === undefined) return { type: 'end', text: '', column };
  if (char === '"' || char === "'") return stringToken(source, at);
  if (char === '$') return shellToken(source, at);
  if (char === '/') {
    const [text, pattern, flags] = read(regexp, source, at) ?? fail('parse', 'unterminated regular expression', column);
    return { type: 'regexp', text, pattern: pattern ?? '', flags: flags ?? '', column };
  }
  const name = read(word, source, at)?.[0];
  if (name !== undefined) return wordToken(name, column);
  const number = read(digits, source, at)?.[0];
  if (number !== undefined) return integerToken(number, column);
  const sign = read(signs, source, at)?.[0];
  if (sign !== undefined) return { type: 'symbol', text: sign as Sign, column };
  return fail('parse', `unexpected character ${JSON.stringify(char)}`, column);
}

/** Cuts an expression into tokens, the last one of type `end`; white space and `//` comments vanish. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ;) {
    at += read(blank, source, at)?.[0].length ?? 0;
    const token = tokenAt(source, at);
    tokens.push(token);
    if (token.type === 'end') return tokens;
    at += token.text.length;
  }
}
