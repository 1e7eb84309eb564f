import type { Context } from '../../context.js';
import { isBuildStopped } from '../../domain/build-state.js';
import { type ManualRetryProblem, manualRetryProblem } from '../../domain/retry.js';
import type { ManualRetry } from '../../domain/steps/step.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { commandDefinition } from '../scheduling/load-facts.js';

const allowed: ManualRetry = { allowed: true, permitOnPassed: false, reason: null };

/** Says of jobs of one build why they cannot be retried by hand, or null (rest-facts 2.3.2): one rule for one job and for all that failed. */
export async function retryPolicy(context: Context, build: BuildRow): Promise<(job: JobRow) => Promise<ManualRetryProblem | null>> {
  const parentBuildCanceled = await parentIsCanceled(context, build);
  return async (job) => {
    const step = await context.load.step.load(job.stepId);
    const policy = (step && commandDefinition(step)?.retryManual) ?? allowed;
    return manualRetryProblem({ ...job, policy, buildState: build.state, parentBuildCanceled });
  };
}

/** Whether a synchronous trigger step of a canceled build made this build. */
async function parentIsCanceled(context: Context, build: BuildRow): Promise<boolean> {
  const trigger = await loadOrNull(context.load.job, build.triggeredFromJobId);
  if (!trigger || trigger.async) return false;
  const parent = await context.load.build.load(trigger.buildId);
  return parent !== null && isBuildStopped(parent.state);
}
