import { RE2JS, RE2JSException } from 're2js';
import { limits } from '../limits.js';

/** A compiled regular expression; matching takes time linear in the text. */
export interface Matcher {
  /** `/source/flags` as it was written. */
  text: string;
  /** True if the expression matches anywhere in the text. */
  test(text: string): boolean;
}

/** Named groups compile in RE2, but the language refuses them; the other refused constructs RE2 knows not at all. */
const namedGroup = /^\(\?(?:P?<(?![=!])|')/;

interface Scan { source: string; problem: string | null; repeats: number }

/** Position behind the character class that opens at `at`; a leading `]` is literal, `[:name:]` does not close it. */
function skipClass(source: string, at: number): number {
  let i = source[at + 1] === '^' ? at + 2 : at + 1;
  if (source[i] === ']') i++;
  while (i < source.length && source[i] !== ']') {
    const posix = /^\[([:.=])/.exec(source.slice(i, i + 2))?.[1];
    const close = posix === undefined ? -1 : source.indexOf(`${posix}]`, i + 2);
    if (close !== -1) i = close + 2;
    else i += source[i] === '\\' ? 2 : 1;
  }
  return i + 1;
}

/** Drops comments, which RE2 has not, and looks for what it would accept and we do not. */
function scan(pattern: string): Scan {
  let source = '';
  let repeats = 1;
  for (let i = 0; i < pattern.length;) {
    const from = i;
    if (pattern[i] === '\\') i += 2;
    else if (pattern[i] === '[') i = skipClass(pattern, i);
    else if (pattern.startsWith('(?#', i)) {
      const close = pattern.indexOf(')', i);
      if (close === -1) return { source, repeats, problem: 'unterminated comment' };
      i = close + 1;
      continue;
    } else {
      if (namedGroup.test(pattern.slice(i, i + 5))) return { source, repeats, problem: 'named groups are not supported' };
      const bounds = /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(i, i + 20));
      if (bounds) repeats *= Math.max(1, Number(bounds[1]), Number(bounds[2] ?? 0));
      i++;
    }
    source += pattern.slice(from, i);
  }
  return { source, repeats, problem: null };
}

/**
 * Compiles the inside of `/…/`. The only flag is `i`. Refused: look-around, atomic and named groups, conditionals,
 * back references, possessive quantifiers, and what would grow too large when its repetitions are written out.
 */
export function compileRegexp(pattern: string, flags: string): { ok: true; matcher: Matcher } | { ok: false; message: string } {
  const unknown = [...flags].find((flag) => flag !== 'i');
  if (unknown !== undefined) return { ok: false, message: `unsupported regular expression flag: ${unknown}` };
  if (pattern.length > limits.regexpLength) return { ok: false, message: 'regular expression is too long' };
  const { source, problem, repeats } = scan(pattern);
  if (problem !== null) return { ok: false, message: problem };
  // RE2 itself refuses nested repeats beyond 1,000, so that is the most one part can be multiplied.
  if (source.length * Math.min(repeats, 1000) > limits.regexpExpandedLength) {
    return { ok: false, message: 'regular expression repeats too much' };
  }
  try {
    const compiled = RE2JS.compile(source, flags === '' ? 0 : RE2JS.CASE_INSENSITIVE);
    return { ok: true, matcher: { text: `/${pattern}/${flags}`, test: (text) => compiled.test(text) } };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return { ok: false, message: error.message.replace(/^error parsing regexp: /, 'could not parse regular expression: ') };
  }
}
