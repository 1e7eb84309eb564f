import type { Context } from '../../context.js';
import { matchesBranch } from '../../domain/branch-pattern.js';
import { intermediateBuilds } from '../../domain/intermediate-builds.js';
import type { PipelineRow } from '../../entities/database.js';
import { advanceBuild } from '../scheduling/advance-build.js';

/**
 * Skips and cancels the builds of the branch that the one being made supersedes (rest-facts 4.2). Where the pipeline
 * asks for it, its row is locked first, so that of two builds made at once the later one sees the earlier.
 * Returns the ids of the builds concerned.
 */
export async function dropIntermediateBuilds(context: Context, pipeline: PipelineRow, newBuildId: string, branch: string): Promise<string[]> {
  if (!pipeline.skipQueuedBranchBuilds && !pipeline.cancelRunningBranchBuilds) return [];
  await context.db.selectFrom('pipelines').select('id').where('id', '=', pipeline.id).forUpdate().execute();
  const others = await context.db
    .selectFrom('builds')
    .selectAll()
    .where('pipelineId', '=', pipeline.id)
    .where('branch', '=', branch)
    .where('state', 'in', ['creating', 'scheduled', 'running', 'failing', 'blocked'])
    .orderBy('id')
    .forUpdate()
    .execute();
  const { skip, cancel } = intermediateBuilds({ number: Number.MAX_SAFE_INTEGER, branch }, others, pipeline, matchesBranch);
  const reason = `superseded by build ${newBuildId}`;
  for (const build of others) {
    if (skip.includes(build.id)) await advanceBuild(context, build, { skip: true, reason });
    else if (cancel.includes(build.id)) {
      const canceling = await context.db
        .updateTable('builds')
        .set({ cancelRequestedAt: context.now, cancelReason: 'A newer build of this branch was created' })
        .where('id', '=', build.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      await advanceBuild(context, canceling, { reason });
    }
  }
  return [...skip, ...cancel];
}
