import { limits } from '../../limits/limits.js';
import { readEscape, TextCollector } from './escapes.js';
import { fail } from './problem.js';

/** Operation on the variable's value; `blankIsUnset` for the form with a colon. */
export type ExpansionAction =
  | { kind: 'plain' }
  | { kind: 'default'; blankIsUnset: boolean; value: Template }
  | { kind: 'alternate'; blankIsUnset: boolean; value: Template }
  | { kind: 'required'; blankIsUnset: boolean }
  | { kind: 'substring'; offset: Template; length: Template | null };

/** `$NAME`, `$NAME.suffix` or `${NAME…}`. */
export interface Expansion {
  name: string;
  /** Literal text behind an unbraced name: `.deploy` of `$branch.deploy`. */
  suffix: string;
  action: ExpansionAction;
  column: number;
}

/** Literal text and expansions, in order. */
export type Template = readonly (string | Expansion)[];

const namePattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const suffixPattern = /[A-Za-z0-9_.]*/y;

function match(pattern: RegExp, source: string, at: number, end: number): string {
  pattern.lastIndex = at;
  return (pattern.exec(source)?.[0] ?? '').slice(0, Math.max(0, end - at));
}

/** Returns the position after the quote that closes the one at `at`, or -1. */
function skipQuoted(source: string, at: number, end: number): number {
  for (let i = at + 1; i < end; i++) {
    if (source[i] === '\\') i++;
    else if (source[i] === source[at]) return i + 1;
  }
  return -1;
}

/** Position of the `}` that closes the `${` before `at`, or -1; quoted and escaped braces do not count. */
function closingBrace(source: string, at: number, end: number): number {
  let depth = 1;
  for (let i = at; i < end; i++) {
    const char = source[i];
    if (char === '\\') i++;
    else if (char === '"' || char === "'") {
      const next = skipQuoted(source, i, end);
      if (next === -1) return -1;
      i = next - 1;
    } else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return i;
  }
  return -1;
}

/** Position of the first `:` outside quotes and nested expansions, or `end`. */
function topLevelColon(source: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const char = source[i];
    if (char === ':') return i;
    if (char === '\\') i++;
    else if (char === '"' || char === "'") i = Math.max(i, skipQuoted(source, i, end) - 1);
    else if (char === '$' && source[i + 1] === '{') i = Math.max(i, closingBrace(source, i + 2, end));
  }
  return end;
}

function readSubstring(source: string, at: number, end: number, depth: number): ExpansionAction {
  const colon = topLevelColon(source, at, end);
  const offset = parseTemplate(source, at, colon, true, depth);
  if (colon === end) return { kind: 'substring', offset, length: null };
  if (topLevelColon(source, colon + 1, end) !== end)
    fail('parse', 'a substring takes an offset and a length', colon + 1);
  return { kind: 'substring', offset, length: parseTemplate(source, colon + 1, end, true, depth) };
}

function readAction(source: string, at: number, end: number, depth: number): ExpansionAction {
  if (at === end) return { kind: 'plain' };
  const blankIsUnset = source[at] === ':';
  const operator = source.slice(at + (blankIsUnset ? 1 : 0), end)[0] ?? '';
  const rest = at + (blankIsUnset ? 2 : 1);
  if (operator === '-') return { kind: 'default', blankIsUnset, value: parseTemplate(source, rest, end, true, depth) };
  if (operator === '+')
    return { kind: 'alternate', blankIsUnset, value: parseTemplate(source, rest, end, true, depth) };
  if (operator === '?') return { kind: 'required', blankIsUnset };
  if (blankIsUnset) return readSubstring(source, at + 1, end, depth);
  return fail('parse', 'invalid shell expansion', at + 1);
}

/**
 * Reads the expansion whose `$` is at `at`, up to `end`. Returns null if the `$` begins no expansion (a lone `$`, a
 * brace that is never closed).
 */
export function readExpansion(
  source: string,
  at: number,
  end: number,
  depth = 0,
): { expansion: Expansion; next: number } | null {
  if (depth > limits.conditionDepth) fail('parse', 'expression is nested too deeply', at + 1);
  if (source[at + 1] !== '{' || at + 1 >= end) {
    const name = match(namePattern, source, at + 1, end);
    if (name === '') return null;
    const suffix = match(suffixPattern, source, at + 1 + name.length, end);
    const next = at + 1 + name.length + suffix.length;
    return { expansion: { name, suffix, action: { kind: 'plain' }, column: at + 1 }, next };
  }
  const close = closingBrace(source, at + 2, end);
  if (close === -1) return null;
  const name = match(namePattern, source, at + 2, close);
  if (name === '') fail('parse', 'invalid shell expansion', at + 1);
  const action = readAction(source, at + 2 + name.length, close, depth + 1);
  return { expansion: { name, suffix: '', action, column: at + 1 }, next: close + 1 };
}

/** Reads the inside of `'…'`: only `\'` and `\\` are escapes. */
export function readSingleQuoted(source: string, at: number, end: number): string {
  return source.slice(at, end).replace(/\\(['\\])/g, '$1');
}

/**
 * Reads text with expansions between `at` and `end`. `quotes`: the text is the word of an expansion, where quotes
 * group and vanish; inside a double-quoted string they are ordinary characters.
 */
export function parseTemplate(source: string, at: number, end: number, quotes: boolean, depth = 0): Template {
  const parts: (string | Expansion)[] = [];
  const text = new TextCollector();
  const push = (part: string | Expansion): void => {
    if (part !== '') parts.push(part);
  };
  for (let i = at; i < end;) {
    const char = source[i] ?? '';
    const result = char === '$' && source[i + 1] !== '$' ? readExpansion(source, i, end, depth) : null;
    if (result) {
      push(text.take());
      push(result.expansion);
      i = result.next;
    } else if (char === '$') {
      text.add('$');
      i += source[i + 1] === '$' && i + 1 < end ? 2 : 1;
    } else if (char === '\\') {
      const escape = readEscape(source, i, end);
      text.addEscape(escape);
      i = escape.next;
    } else if (quotes && (char === '"' || char === "'")) {
      const next = skipQuoted(source, i, end);
      if (next === -1) fail('parse', 'unterminated string', i + 1);
      push(text.take());
      if (char === "'") push(readSingleQuoted(source, i + 1, next - 1));
      else for (const part of parseTemplate(source, i + 1, next - 1, false, depth + 1)) push(part);
      i = next;
    } else {
      text.add(char);
      i++;
    }
  }
  push(text.take());
  return parts;
}
