import { z } from 'zod';
import { annotationScopes } from '../../../domain/builds/annotations/annotation.js';
import { invalidField } from '../../../domain/problem.js';
import type { Context } from '../../../request/context.js';
import { buildAddress, jobAddress } from '../../../core/address.js';
import { findBuild, findJob } from '../../../core/find.js';
import { lockHeldJob, requireLiveToken } from '../jobs/held-job.js';
import type { Annotated } from './annotation.js';

/** Address of a build or a job for users. */
export const annotatedAddress = z.union([z.object({ build: buildAddress }), z.object({ job: jobAddress })]);

/** The agent's job; `scope` selects the job itself or, by default, its build. */
export const heldJobAddress = z.object({ heldJob: z.string().max(300), scope: z.unknown() });

/** Finds a build or job that the user may see. Only command jobs have annotations. */
export async function findAnnotated(
  context: Context,
  address: z.output<typeof annotatedAddress>,
  finding: { lock?: boolean } = {},
): Promise<Annotated | null> {
  if ('build' in address) {
    const parent = await findBuild(context, address.build, finding);
    return parent && { ...parent, job: null };
  }
  const parent = await findJob(context, address.job, finding);
  return parent?.job.type === 'command' ? parent : null;
}

/**
 * Finds the job that an agent holds, or its build, with the build's row locked; refuses calls long after the job's end.
 */
export async function lockAnnotatedByAgent(
  context: Context,
  { heldJob, scope }: z.output<typeof heldJobAddress>,
): Promise<Annotated | null> {
  const about = annotationScopes.find((word) => word === (scope ?? 'build'));
  if (!about) throw invalidField('scope', `must be one of ${annotationScopes.join(', ')}`);
  const job = await lockHeldJob(context, heldJob);
  const organization = job && (await context.load.organization.load(job.job.organizationId));
  const pipeline = job && (await context.uncheckedRows.pipeline.load(job.job.pipelineId));
  if (!job || !organization || !pipeline) return null;
  requireLiveToken(context, job.job);
  return { organization, pipeline, level: 'build_and_read', build: job.build, job: about === 'job' ? job.job : null };
}
