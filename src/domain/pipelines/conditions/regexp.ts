import { RE2JS, RE2JSException } from 're2js';
import { limits } from '../../limits/limits.js';

/** A compiled regular expression; matching takes time linear in the text. */
export interface Matcher {
  /** `/source/flags` as it was written. */
  text: string;
  /** Instructions of the compiled program: a search takes at most this many steps for each character of the text. */
  size: number;
  /** True if the expression matches anywhere in the text. */
  test(text: string): boolean;
  /** Texts that every text contains that matches, each in its case; null where nothing is certain. */
  requiredTexts(): RequiredTexts | null;
}

/** A text, or what each or one of several says. */
export type RequiredTexts = string | { all: RequiredTexts[] } | { any: RequiredTexts[] };

/** Named groups compile in RE2, but the language refuses them; the other refused constructs RE2 knows not at all. */
const namedGroup = /^\(\?(?:P?<(?![=!])|')/;

interface Scan {
  source: string;
  problem: string | null;
  expanded: number;
}

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

/** Counts the atoms of an expression with its counted repetitions written out, group by group. */
class ExpandedLength {
  /**
   * Of each open group, the outermost first: the atoms before the last one, and the last one, which a repetition
   * multiplies.
   */
  private readonly groups = [{ before: 0, last: 0 }];

  get total(): number {
    return this.groups.reduce((sum, { before, last }) => sum + before + last, 0);
  }

  atom(length = 1): void {
    const group = this.groups.at(-1);
    if (!group) return;
    group.before += group.last;
    group.last = length;
  }

  open(): void {
    this.groups.push({ before: 0, last: 0 });
  }

  close(): void {
    const group = this.groups.length > 1 ? this.groups.pop() : undefined;
    if (group) this.atom(group.before + group.last + 1);
  }

  repeat(times: number): void {
    const group = this.groups.at(-1);
    if (group) group.last *= Math.max(1, times);
  }
}

/**
 * Drops comments, which RE2 lacks, refuses constructs that RE2 accepts and conditions do not, and measures the expanded
 * size.
 */
function scan(pattern: string): Scan {
  let source = '';
  const expanded = new ExpandedLength();
  const ended = (problem: string | null): Scan => ({ source, problem, expanded: expanded.total });
  for (let i = 0; i < pattern.length;) {
    const from = i;
    if (pattern.startsWith('(?#', i)) {
      const close = pattern.indexOf(')', i);
      if (close === -1) return ended('unterminated comment');
      i = close + 1;
      continue;
    }
    if (namedGroup.test(pattern.slice(i, i + 5))) return ended('named groups are not supported');
    const bounds = /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(i, i + 20));
    if (bounds) {
      expanded.repeat(Math.max(Number(bounds[1]), Number(bounds[2] ?? 0)));
      i += bounds[0].length;
    } else if (pattern[i] === '(') {
      expanded.open();
      i++;
    } else if (pattern[i] === ')') {
      expanded.close();
      i++;
    } else {
      expanded.atom();
      if (pattern[i] === '[') i = skipClass(pattern, i);
      else i += pattern[i] === '\\' ? 2 : 1;
    }
    source += pattern.slice(from, i);
  }
  return ended(null);
}

/** What the engine itself asks for before it runs an expression; type 1 is a text, 2 each of several, 3 any of them. */
interface Prefilter {
  type: number;
  str: string;
  subs: readonly Prefilter[];
}

function readPrefilter(prefilter: Prefilter | null): RequiredTexts | null {
  if (prefilter?.type === 1) return prefilter.str;
  if (prefilter?.type !== 2 && prefilter?.type !== 3) return null;
  const texts = prefilter.subs.map(readPrefilter);
  const certain = texts.filter((each) => each !== null);
  if (prefilter.type === 2) return certain.length === 0 ? null : { all: certain };
  return certain.length < texts.length || texts.length === 0 ? null : { any: certain };
}

/**
 * Compiles the text between the slashes of `/…/`. The only flag is `i`. Refuses look-around, atomic and named groups,
 * conditionals, back references, possessive quantifiers, and expressions that become too large when their repetitions
 * are written out.
 */
export function compileRegexp(
  pattern: string,
  flags: string,
): { ok: true; matcher: Matcher } | { ok: false; message: string } {
  const unknown = [...flags].find((flag) => flag !== 'i');
  if (unknown !== undefined) return { ok: false, message: `unsupported regular expression flag: ${unknown}` };
  if (pattern.length > limits.regexpLength) return { ok: false, message: 'regular expression is too long' };
  const { source, problem, expanded } = scan(pattern);
  if (problem !== null) return { ok: false, message: problem };
  if (expanded > limits.regexpExpandedLength) {
    return { ok: false, message: 'regular expression repeats too much' };
  }
  try {
    const compiled = RE2JS.compile(source, flags === '' ? 0 : RE2JS.CASE_INSENSITIVE);
    return {
      ok: true,
      matcher: {
        text: `/${pattern}/${flags}`,
        size: compiled.programSize(),
        test: (text) => compiled.test(text),
        requiredTexts: () => readPrefilter(compiled.re2().prefilter),
      },
    };
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return {
      ok: false,
      message: error.message.replace(/^error parsing regexp: /, 'could not parse regular expression: '),
    };
  }
}
