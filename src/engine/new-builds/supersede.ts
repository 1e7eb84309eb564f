import type { Context } from '../../request/context.js';
import { matchesBranch } from '../../domain/pipelines/branch-pattern.js';
import { intermediateBuilds, supersededReason } from '../../domain/builds/intermediate-builds.js';
import type { PipelineRow } from '../../entities/database.js';
import { advanceBuild } from '../builds/advance-build.js';
import { cancelForBranch, lockBranchBuilds } from './branch-builds.js';

/**
 * Skips and cancels the builds of the branch that the new build supersedes. Where the pipeline asks for that, its row
 * is locked first, so that of two concurrent builds the later one sees the earlier. Returns the ids of these builds.
 */
export async function dropIntermediateBuilds(
  context: Context,
  pipeline: PipelineRow,
  newBuildId: string,
  branch: string,
): Promise<string[]> {
  if (!pipeline.skipQueuedBranchBuilds && !pipeline.cancelRunningBranchBuilds) return [];
  await context.db.selectFrom('pipelines').select('id').where('id', '=', pipeline.id).forUpdate().execute();
  const builds = await lockBranchBuilds(context, pipeline.id, branch);
  const others = builds.filter((build) => build.culpritSearchId === null);
  const { skip, cancel } = intermediateBuilds(
    { number: Number.MAX_SAFE_INTEGER, branch },
    others,
    pipeline,
    matchesBranch,
  );
  const reason = supersededReason(newBuildId);
  for (const build of others) {
    if (skip.includes(build.id)) await advanceBuild(context, build, { skip: true, reason });
    else if (cancel.includes(build.id))
      await cancelForBranch(context, build, { cancelReason: 'A newer build of this branch was created', reason });
  }
  return [...skip, ...cancel];
}
