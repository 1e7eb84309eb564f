/** The default branch of a pipeline that was created without one. */
export const initialDefaultBranch = 'main';

/**
 * The branch of builds that name none. A pipeline may have a blank default branch, which clients read back as they
 * sent it, but no build can have a blank branch.
 */
export function branchOfNewBuilds({ defaultBranch }: { defaultBranch: string }): string {
  return defaultBranch || initialDefaultBranch;
}
