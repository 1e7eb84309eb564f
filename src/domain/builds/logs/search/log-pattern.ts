import { compileRegexp, type RequiredTexts } from '../../../pipelines/conditions/regexp.js';

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

export interface CompiledPattern {
  ok: true;
  find: LineTest;
  /** Text that every matching line contains once it is in lower case; null for an expression. */
  literal: string | null;
  /** Texts of an expression that every matching line contains. */
  required: RequiredTexts | null;
}

/**
 * Compiles a pattern; `message` says what is wrong with a regular expression. A match takes time linear in the line:
 * the language has no look-around and no back references.
 */
export function compileLogPattern({
  text,
  isRegexp,
  ignoresCase = false,
  inverts = false,
}: LogPattern): CompiledPattern | { ok: false; message: string } {
  if (!isRegexp) {
    const literal = text.toLowerCase();
    const find: LineTest = (line) => line.toLowerCase().indexOf(literal);
    return inverts
      ? { ok: true, literal: null, required: null, find: inverted(find) }
      : { ok: true, literal, required: null, find };
  }
  const compiled = compileRegexp(text, ignoresCase ? 'i' : '');
  if (!compiled.ok) return compiled;
  const find: LineTest = (line) => (compiled.matcher.test(line) ? 0 : -1);
  return inverts
    ? { ok: true, literal: null, required: null, find: inverted(find) }
    : { ok: true, literal: null, required: compiled.matcher.requiredTexts(), find };
}

const inverted =
  (find: LineTest): LineTest =>
  (line) =>
    find(line) < 0 ? 0 : -1;
