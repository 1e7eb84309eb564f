import ignore from 'ignore';
import { limits } from '../../limits/limits.js';

/** A line of a TESTOWNERS file: tests in files that match its pattern belong to these teams, the first before all. */
export interface OwnerRule {
  pattern: string;
  /** Slugs of teams. */
  teams: string[];
}

const slug = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Reads a TESTOWNERS file, which has the syntax of CODEOWNERS files: a pattern, and behind it slugs of teams. A pattern
 * without a team says nothing, so what a line before it says stands. Returns the first problem, with its line, where
 * there is one.
 */
export function readOwnerRules(text: string): OwnerRule[] | { problem: string } {
  const rules: OwnerRule[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [pattern, ...teams] = wordsOf(line);
    if (pattern === undefined) continue;
    const problem = patternProblem(pattern) ?? teamProblem(teams);
    if (problem !== null) return { problem: `line ${index + 1}: ${problem}` };
    if (teams.length > 0) rules.push({ pattern, teams: [...new Set(teams)] });
    if (rules.length > limits.testOwnerRules) return { problem: `has more than ${limits.testOwnerRules} rules` };
  }
  return rules;
}

/**
 * The teams to which tests in each of these files belong, by the last rule that matches; none where no rule does. Its
 * time grows with rules times files.
 */
export function ownersByRules(rules: readonly OwnerRule[], files: readonly string[]): string[][] {
  const matchers = rules.map(({ pattern, teams }) => ({ teams, matcher: matcherOf(pattern) })).reverse();
  return files.map((file) => {
    const path = relativePath(file);
    if (path === null) return [];
    return matchers.find(({ matcher }) => matcher.ignores(path))?.teams ?? [];
  });
}

/** `a/*` means files in a folder but none in its folders, as in CODEOWNERS files; all else is as in `.gitignore`. */
const matcherOf = (pattern: string) => ignore().add(pattern.endsWith('/*') ? [pattern, `!${pattern}/`] : pattern);

/** Words divided by blanks that no backslash escapes, up to a comment. */
function wordsOf(line: string): string[] {
  const words = line.match(/(?:\\.|[^\s\\])+/g) ?? [];
  const comment = words.findIndex((word) => word.startsWith('#'));
  return comment < 0 ? words : words.slice(0, comment);
}

function patternProblem(pattern: string): string | null {
  if (pattern.startsWith('!')) return 'a pattern cannot be negated';
  if (/[[\]]/.test(pattern)) return 'a pattern has no ranges of characters';
  return pattern.length > limits.testOwnerPatternLength
    ? `a pattern has at most ${limits.testOwnerPatternLength} characters`
    : null;
}

function teamProblem(teams: readonly string[]): string | null {
  const wrong = teams.find((team) => !slug.test(team) || team.length > limits.slugLength);
  if (wrong !== undefined) return `${JSON.stringify(wrong.slice(0, 100))} is not the slug of a team`;
  return teams.length > limits.testOwnersOfRule ? `has more than ${limits.testOwnersOfRule} teams` : null;
}

/** A file as the repository names it; null for one outside of it. */
function relativePath(file: string): string | null {
  const path = file.replace(/\\/g, '/').replace(/^(?:\.?\/)+/, '');
  return ignore.isPathValid(path) ? path : null;
}
