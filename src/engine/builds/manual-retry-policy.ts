import type { Context } from '../../request/context.js';
import { isBuildStopped } from '../../domain/builds/build-state.js';
import { type ManualRetryProblem, manualRetryProblem } from '../../domain/builds/retry.js';
import type { ManualRetry } from '../../domain/pipelines/steps/step.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders/batch-loader.js';
import { commandDefinition } from './load-facts.js';

const allowed: ManualRetry = { allowed: true, permitOnPassed: false, reason: null };

/**
 * Returns, for jobs of one build, why each cannot be retried by hand, or null. One job and all failed jobs follow the
 * same rule.
 */
export async function manualRetryPolicy(
  context: Context,
  build: BuildRow,
): Promise<(job: JobRow) => Promise<ManualRetryProblem | null>> {
  const parentBuildCanceled = await parentIsCanceled(context, build);
  return async (job) => {
    const step = await context.load.step.load(job.stepId);
    const policy = (step && commandDefinition(step)?.retryManual) ?? allowed;
    return manualRetryProblem({ ...job, policy, buildState: build.state, parentBuildCanceled });
  };
}

/** Whether the build was created by a synchronous trigger step of a canceled build. */
async function parentIsCanceled(context: Context, build: BuildRow): Promise<boolean> {
  const trigger = await loadOrNull(context.uncheckedRows.job, build.triggeredFromJobId);
  if (!trigger || trigger.async) return false;
  const parent = await context.uncheckedRows.build.load(trigger.buildId);
  return parent !== null && isBuildStopped(parent.state);
}
