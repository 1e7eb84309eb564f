import { compileRegexp } from '../../../pipelines/conditions/regexp.js';

/** What is looked for in the lines of logs. */
export interface LogPattern {
  text: string;
  /** Whether the text is a regular expression, in the language of conditions; else any case of its letters is found. */
  isRegexp: boolean;
  /** Whether a regular expression finds any case of its letters too. */
  ignoresCase?: boolean;
  /** Whether the lines that do not match are wanted. */
  inverts?: boolean;
}

/** Whether a line matches, and where; -1 where it does not. */
export type LineTest = (line: string) => number;

/**
 * Compiles a pattern; `message` says what is wrong with a regular expression. A match takes time linear in the line:
 * the language has no look-around and no back references.
 */
export function compileLogPattern({
  text,
  isRegexp,
  ignoresCase = false,
  inverts = false,
}: LogPattern): { ok: true; find: LineTest; literal: string | null } | { ok: false; message: string } {
  if (!isRegexp) {
    const literal = text.toLowerCase();
    const find: LineTest = (line) => line.toLowerCase().indexOf(literal);
    return inverts ? { ok: true, literal: null, find: inverted(find) } : { ok: true, literal, find };
  }
  const compiled = compileRegexp(text, ignoresCase ? 'i' : '');
  if (!compiled.ok) return compiled;
  const find: LineTest = (line) => (compiled.matcher.test(line) ? 0 : -1);
  return { ok: true, literal: null, find: inverts ? inverted(find) : find };
}

const inverted =
  (find: LineTest): LineTest =>
  (line) =>
    find(line) < 0 ? 0 : -1;
