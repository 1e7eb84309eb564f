import { jobToken } from '../../../auth/job-token.js';
import type { Context } from '../../../context.js';
import type { Json, JsonObject } from '../../../domain/pipelines/steps/step.js';
import type { AgentRow, JobRow } from '../../../entities/database.js';
import { commandDefinition } from '../../../engine/builds/load-facts.js';
import { loadJobEnvironment } from './load-environment.js';

/** Reply to an agent that has accepted a job. */
export interface AcceptedJob {
  job: JobRow;
  env: Record<string, string>;
  /** Token valid for this attempt of this job. */
  token: string;
  /** Set for signed steps only: an agent without keys refuses a job that has a signature. */
  signed: { step: JsonObject; matrixPermutation: Record<string, string> | null } | null;
}

/** Assembles the reply for the agent that has accepted a job. */
export async function acceptedJob(context: Context, job: JobRow, agent: AgentRow): Promise<AcceptedJob> {
  const step = await context.load.step.load(job.stepId);
  const definition = step && commandDefinition(step);
  return {
    job,
    env: await loadJobEnvironment(context, job, agent),
    token: jobToken(context.services.secretKey, job.id, job.attempt),
    signed: definition?.signature
      ? { step: withoutNullSecrets(definition.source), matrixPermutation: matrixPermutation(job.matrix) }
      : null,
  };
}

/** The step as written, without `secrets: null`, which agents cannot decode. */
function withoutNullSecrets(source: JsonObject): JsonObject {
  if (source['secrets'] !== null) return source;
  const { secrets: _secrets, ...rest } = source;
  return rest;
}

/** `{"": "a"}` for a matrix without named dimensions, else each dimension's value as text. */
function matrixPermutation(matrix: Json): Record<string, string> | null {
  if (matrix === null) return null;
  if (typeof matrix !== 'object' || Array.isArray(matrix)) return { '': String(matrix) };
  return Object.fromEntries(Object.entries(matrix).map(([dimension, value]) => [dimension, String(value)]));
}
