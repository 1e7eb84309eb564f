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
