import { firstParents, type ListedCommit } from '../domain/builds/culprit/bounds.js';
import type { CommitRange } from '../services/source-providers.js';

/** Branches of a repository that are compared. */
const branchesAtMost = 2_000;

/** Reads the head of each branch page by page, until a page is the last or there are enough branches. */
export async function readHeads(
  page: (number: number) => Promise<{ heads: (readonly [branch: string, commit: string])[]; isLast: boolean }>,
): Promise<Record<string, string>> {
  const heads = new Map<string, string>();
  for (let number = 1; heads.size < branchesAtMost; number += 1) {
    const { heads: more, isLast } = await page(number);
    for (const [branch, commit] of more) heads.set(branch, commit);
    if (isLast || more.length === 0) break;
  }
  return Object.fromEntries(heads);
}

/** Commits of a branch that are listed. */
const commitsAtMost = 2_000;

/** Reads commits page by page, newest first, until they lead from one end of the range to the other. */
export async function readCommits(
  { after, upTo }: CommitRange,
  page: (number: number) => Promise<{ commits: ListedCommit[]; isLast: boolean }>,
): Promise<ListedCommit[]> {
  const commits: ListedCommit[] = [];
  for (let number = 1; commits.length < commitsAtMost; number += 1) {
    const { commits: more, isLast } = await page(number);
    commits.push(...more);
    if (isLast || more.length === 0 || firstParents(commits, after, upTo) !== null) break;
  }
  return commits.slice(0, commitsAtMost);
}
