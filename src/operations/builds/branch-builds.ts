import type { Context } from '../../context.js';
import type { BuildRow } from '../../entities/database.js';
import { advanceBuild } from '../scheduling/advance-build.js';

/** The builds of a pipeline's branch that are not over and that nobody has canceled yet, locked in the order of their ids. */
export function lockBranchBuilds(context: Context, pipelineId: string, branch: string): Promise<BuildRow[]> {
  return context.db
    .selectFrom('builds')
    .selectAll()
    .where('pipelineId', '=', pipelineId)
    .where('branch', '=', branch)
    .where('state', 'in', ['creating', 'scheduled', 'running', 'failing', 'blocked'])
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Cancels a locked build for what happened to its branch. `cancelReason` is shown with the build, `reason` with its events. */
export async function cancelForBranch(context: Context, { id }: BuildRow, { cancelReason, reason }: { cancelReason: string; reason: string }): Promise<void> {
  const canceling = await context.db.updateTable('builds').set({ cancelRequestedAt: context.now, cancelReason }).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
  await advanceBuild(context, canceling, { reason });
}
