import { transitionBuild, type BlockedState, type BuildState } from './build-state.js';

/** Settings of a pipeline for builds superseded by a newer one; a null or empty filter matches every branch. */
export interface IntermediateBuildSettings {
  skipQueuedBranchBuilds: boolean;
  skipQueuedBranchBuildsFilter: string | null;
  cancelRunningBranchBuilds: boolean;
  cancelRunningBranchBuildsFilter: string | null;
}

export interface IntermediateBuild {
  id: string;
  number: number;
  branch: string;
  state: BuildState;
  blockedState: BlockedState | null;
}

/**
 * Returns the builds of the same pipeline that a new build skips, and the builds that it cancels. This is decided once,
 * when the new build is created: an older build that starts or restarts later stays until the next new build. A blocked
 * build counts as running only if its block keeps it in the state running.
 * @param branchMatches whether a branch filter accepts a branch
 */
export function intermediateBuilds(
  created: { number: number; branch: string },
  others: readonly IntermediateBuild[],
  settings: IntermediateBuildSettings,
  branchMatches: (filter: string, branch: string) => boolean,
): { skip: string[]; cancel: string[] } {
  const accepts = (filter: string | null): boolean =>
    filter === null || filter.trim() === '' || branchMatches(filter, created.branch);
  const skipping = settings.skipQueuedBranchBuilds && accepts(settings.skipQueuedBranchBuildsFilter);
  const canceling = settings.cancelRunningBranchBuilds && accepts(settings.cancelRunningBranchBuildsFilter);
  const skip: string[] = [];
  const cancel: string[] = [];
  for (const build of others) {
    if (build.branch !== created.branch || build.number >= created.number) continue;
    if (skipping && transitionBuild(build.state, 'skip').kind === 'moved') skip.push(build.id);
    else if (canceling && isRunning(build)) cancel.push(build.id);
  }
  return { skip, cancel };
}

const supersededBy = 'superseded by build ';

/** Reason of the events of a build that the build with this id supersedes. */
export const supersededReason = (newBuildId: string): string => supersededBy + newBuildId;

/** The id of the newer build in the reason of an event; null in any other reason. */
export function supersedingBuild(reason: string | null): string | null {
  return reason?.startsWith(supersededBy) ? reason.slice(supersededBy.length) : null;
}

function isRunning(build: IntermediateBuild): boolean {
  if (build.state === 'blocked') return build.blockedState === 'running';
  return build.state === 'running' || build.state === 'failing';
}
