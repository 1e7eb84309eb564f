import { limits } from '../limits/limits.js';

/**
 * Whether the text matches the pattern. `*` matches any characters, also `/` and none at all; other characters match
 * themselves, case-sensitively. Searches for the pieces between the stars from left to right without
 * backtracking, so the time is bounded by the pattern plus one search of the text for each piece.
 */
export function matchesWildcard(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const position = text.indexOf(piece, at);
    if (position === -1 || position + piece.length > end) return false;
    at = position + piece.length;
  }
  return true;
}

/** The items of a pattern list; white space separates them. */
function items(patterns: string | null): string[] {
  return patterns === null ? [] : patterns.split(/\s+/).filter((item) => item !== '');
}

/**
 * True if a branch passes a list of patterns: where there are positive items one must match, and no item behind a
 * `!` may. Only negative items: everything else passes; no items: everything. A build without a branch passes any
 * list, there is nothing to filter by.
 */
export function matchesBranch(patterns: string | null, branch: string | null): boolean {
  if (branch === null) return true;
  const all = items(patterns);
  const positive = all.filter((item) => !item.startsWith('!'));
  const negative = all.filter((item) => item.startsWith('!')).map((item) => item.slice(1));
  if (negative.some((item) => matchesWildcard(item, branch))) return false;
  return positive.length === 0 || positive.some((item) => matchesWildcard(item, branch));
}

/**
 * Returns the problem of a list of patterns, or null: it is too long, an item is a lone `!`, which negates nothing, or
 * it contains a control character.
 */
export function branchPatternProblem(patterns: string): string | null {
  if (patterns.length > limits.branchPatternLength) return `is longer than ${limits.branchPatternLength} characters`;
  if (/[^\P{Cc}\s]/u.test(patterns)) return 'contains a control character';
  return items(patterns).includes('!') ? 'has a ! that negates nothing' : null;
}

/**
 * Returns the SQL LIKE pattern equivalent to a wildcard; `\` is the escape character, PostgreSQL's default. The result
 * is a parameter, never part of a statement's text.
 */
export function likePattern(wildcard: string): string {
  return wildcard.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');
}
