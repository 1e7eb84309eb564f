import { z } from 'zod';
import type { Context } from '../../context.js';
import { isBuildStopped } from '../../domain/build-state.js';
import { Problem, wrongState } from '../../domain/problem.js';
import { manualRetryProblem } from '../../domain/retry.js';
import type { ManualRetry } from '../../domain/steps/step.js';
import type { BuildRow, JobRow } from '../../entities/database.js';
import { loadOrNull } from '../../loaders.js';
import { jobAddress } from '../address.js';
import { findJob, rereadJob } from '../find.js';
import { defineOperation } from '../operation.js';
import { advanceBuild } from '../scheduling/advance-build.js';
import { insertRetry } from '../scheduling/insert-retry.js';
import { commandDefinition } from '../scheduling/load-facts.js';
import type { JobSubject } from '../subject.js';

export interface RetriedJob extends JobSubject {
  /** The job that was retried; `job` is the new one. */
  retriedJob: JobRow;
}

const allowed: ManualRetry = { allowed: true, permitOnPassed: false, reason: null };

/** PUT retry (api-v2.md): a new job in `scheduled` in place of one that failed, timed out or was canceled; once for each job id. */
export const retryJob = defineOperation({
  name: 'job.retry',
  summary: 'Retries a failed, timed out or canceled job.',
  kind: 'command',
  scope: 'write_builds',
  access: 'build',
  input: z.object({ job: jobAddress }),
  subject: (context, { job }) => findJob(context, job, { lock: true }),
  run: async (context, _input, subject): Promise<RetriedJob> => {
    const { build, job } = subject;
    const step = await context.load.step.load(job.stepId);
    const policy = (step && commandDefinition(step)?.retryManual) ?? allowed;
    const problem = manualRetryProblem({ ...job, policy, buildState: build.state, parentBuildCanceled: await parentIsCanceled(context, build) });
    if (problem) throw problem.kind === 'state' ? new Problem('not_applicable', problem.message) : wrongState(problem.message);
    const inserted = await insertRetry(context, job, { type: 'manual', ruleUses: job.retryRuleUses });
    const advanced = await advanceBuild(context, build, { reason: 'retry' });
    return { ...subject, build: advanced, job: (await rereadJob(context, inserted.id)) ?? inserted, retriedJob: (await rereadJob(context, job.id)) ?? job };
  },
});

/** Whether a synchronous trigger step of a canceled build made this build. */
async function parentIsCanceled(context: Context, build: BuildRow): Promise<boolean> {
  const trigger = await loadOrNull(context.load.job, build.triggeredFromJobId);
  if (!trigger || trigger.async) return false;
  const parent = await context.load.build.load(trigger.buildId);
  return parent !== null && isBuildStopped(parent.state);
}
