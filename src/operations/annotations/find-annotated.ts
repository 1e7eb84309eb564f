import { z } from 'zod';
import { annotationScopes } from '../../domain/annotations/annotation.js';
import { invalidField } from '../../domain/problem.js';
import type { Context } from '../../context.js';
import { buildAddress, jobAddress } from '../address.js';
import { findBuild, findJob } from '../find.js';
import { lockHeldJob, requireLiveToken } from '../jobs/held-job.js';
import type { Annotated } from './annotation.js';

/** A build or a job as people name them. */
export const annotatedAddress = z.union([z.object({ build: buildAddress }), z.object({ job: jobAddress })]);

/** The job an agent speaks for; `scope` says whether the job itself is meant, or its build as by default (agent-protocol 7.2). */
export const heldJobAddress = z.object({ heldJob: z.string().max(300), scope: z.unknown() });

/** What a person names, if it may be seen. Only jobs that run commands have annotations (graphql-facts 4.4). */
export async function findAnnotated(context: Context, address: z.output<typeof annotatedAddress>, finding: { lock?: boolean } = {}): Promise<Annotated | null> {
  if ('build' in address) {
    const found = await findBuild(context, address.build, finding);
    return found && { ...found, job: null };
  }
  const found = await findJob(context, address.job, finding);
  return found?.job.type === 'command' ? found : null;
}

/** The job that an agent holds, or its build, with the build's row locked; refuses what is said long after the job's end. */
export async function lockAnnotatedByAgent(context: Context, { heldJob, scope }: z.output<typeof heldJobAddress>): Promise<Annotated | null> {
  const about = annotationScopes.find((word) => word === (scope ?? 'build'));
  if (!about) throw invalidField('scope', `must be one of ${annotationScopes.join(', ')}`);
  const held = await lockHeldJob(context, heldJob);
  const organization = held && (await context.load.organization.load(held.job.organizationId));
  if (!held || !organization) return null;
  requireLiveToken(context, held.job);
  return { organization, build: held.build, job: about === 'job' ? held.job : null };
}
