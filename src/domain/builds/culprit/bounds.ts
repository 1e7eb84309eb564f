import { isCanonicalSha } from '../git-commit-text.js';
import type { BuildOfFailure, StepAttempt } from '../failures/job-failure.js';

/** Builds of a branch between whose commits it turned red. */
export interface CulpritBounds {
  /** Newest build, before the first failed one, in which every step passed; null if none of those looked at is. */
  good: BuildOfFailure | null;
  /** Oldest build since then in which one of the steps failed. */
  bad: BuildOfFailure;
}

/**
 * The bounds of a search, from the attempts of each failed job in the builds of its branch, newest first. A build in
 * which a step neither passed nor failed says nothing.
 */
export function boundsOf(attemptsOfJobs: readonly (readonly [StepAttempt, ...StepAttempt[]])[]): CulpritBounds | null {
  const builds = new Map<number, { build: StepAttempt; passed: number; failed: boolean }>();
  for (const attempt of attemptsOfJobs.flat()) {
    const entry = builds.get(attempt.number) ?? { build: attempt, passed: 0, failed: false };
    builds.set(attempt.number, {
      ...entry,
      passed: entry.passed + (attempt.passed === true ? 1 : 0),
      failed: entry.failed || attempt.passed === false,
    });
  }
  let bad: StepAttempt | null = null;
  for (const { build, passed, failed } of [...builds.values()].sort((a, b) => b.build.number - a.build.number)) {
    if (bad !== null && passed === attemptsOfJobs.length) return { good: build, bad };
    if (failed) bad = build;
  }
  return bad === null ? null : { good: null, bad };
}

/**
 * The commits after the good one up to the bad one, oldest first, from a list that may contain both ends and repeats;
 * or what is wrong with it.
 */
export function commitsBetween(
  listed: readonly string[],
  { good, bad }: { good: string; bad: string },
): { commits: string[] } | { problem: string } {
  const wrong = listed.find((commit) => !isCanonicalSha(commit));
  if (wrong !== undefined) return { problem: 'must be full SHAs in lower case' };
  const commits = [...new Set(listed)].filter((commit) => commit !== good && commit !== bad);
  const place = (commit: string) => listed.indexOf(commit);
  if (listed.includes(good) && place(good) !== 0) return { problem: 'must begin after the commit that passed' };
  if (listed.includes(bad) && place(bad) !== listed.length - 1)
    return { problem: 'must end with the commit that failed' };
  return { commits: [...commits, bad] };
}

/** A commit as source providers list it. */
export interface ListedCommit {
  sha: string;
  /** The first is the one that the branch was at before. */
  parents: readonly string[];
}

/**
 * The commits after `good` up to `bad`, oldest first, along first parents, which is how the branch moved: a merge is
 * one commit. Null if that way does not lead to `good` within the listed commits.
 */
export function firstParents(listed: readonly ListedCommit[], good: string, bad: string): string[] | null {
  const parents = new Map(listed.map(({ sha, parents: [first] }) => [sha, first]));
  const commits: string[] = [];
  const visited = new Set<string>();
  for (let commit: string | undefined = bad; commit !== good;) {
    if (commit === undefined || visited.has(commit) || !parents.has(commit)) return null;
    visited.add(commit);
    commits.push(commit);
    commit = parents.get(commit);
  }
  return commits.reverse();
}
