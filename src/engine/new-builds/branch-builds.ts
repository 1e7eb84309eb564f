import type { Context } from '../../request/context.js';
import { cancelableBuildStates } from '../../domain/builds/build-state.js';
import type { BuildRow } from '../../entities/database.js';
import { advanceBuild } from '../builds/advance-build.js';
import { changeBuild } from '../state/builds.js';

/** Locks, in the order of their ids, the builds of a branch that are neither finished nor being canceled. */
export function lockBranchBuilds(context: Context, pipelineId: string, branch: string): Promise<BuildRow[]> {
  return context.db
    .selectFrom('builds')
    .selectAll()
    .where('pipelineId', '=', pipelineId)
    .where('branch', '=', branch)
    .where('state', 'in', cancelableBuildStates)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Cancels a locked build because of its branch. `cancelReason` is shown with the build, `reason` with its events. */
export async function cancelForBranch(
  context: Context,
  build: BuildRow,
  { cancelReason, reason }: { cancelReason: string; reason: string },
): Promise<void> {
  const canceling = await changeBuild(context, build, { cancelRequestedAt: context.now, cancelReason });
  await advanceBuild(context, canceling, { reason });
}
