import { jobToken } from '../../../auth/job-token.js';
import type { Context } from '../../../request/context.js';
import { agentStep, matrixPermutation } from '../../../domain/builds/agent-step.js';
import { traceparentOfJob } from '../../../domain/builds/trace-ids.js';
import type { JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { AgentRow, JobRow } from '../../../entities/database.js';
import { commandDefinition } from '../../../engine/builds/load-facts.js';
import type { LockedJob } from '../../../engine/builds/lock-job.js';
import { loadJobEnvironment } from './load-environment.js';
import { primeEnvironment } from './prime-environment.js';

/** Reply to an agent that has accepted a job. */
export interface AcceptedJob {
  job: JobRow;
  env: Record<string, string>;
  /** Token valid for this attempt of this job. */
  token: string;
  /** The step of the job, null only where it is gone. Agents take secrets, cache, checkout and signature from it. */
  step: JsonObject | null;
  matrixPermutation: Record<string, string> | null;
  /** The span of the job, as W3C Trace Context writes it. */
  traceparent: string;
}

/** Assembles the reply for the agent that has accepted a job. */
export async function acceptedJob(context: Context, { job, build }: LockedJob, agent: AgentRow): Promise<AcceptedJob> {
  await primeEnvironment(context, job, build, agent);
  const step = await context.load.step.load(job.stepId);
  const definition = step && commandDefinition(step);
  return {
    job,
    env: await loadJobEnvironment(context, job, agent),
    token: jobToken(context.services.secretKey, job.id, job.attempt),
    step: definition && agentStep(definition),
    matrixPermutation: matrixPermutation(job.matrix),
    traceparent: traceparentOfJob({ id: job.id, buildId: build.id, traceparent: build.traceparent }),
  };
}
