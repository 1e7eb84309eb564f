import { z } from 'zod';
import type { Context } from '../../context.js';
import { byteLength, limits } from '../../domain/limits.js';
import { wrongState } from '../../domain/problem.js';
import type { JobRow } from '../../entities/database.js';
import { isId } from '../address.js';
import { callingAgent, findHeldJob, requireHolder, requireLiveToken } from '../jobs/held-job.js';
import { heldBy } from '../jobs/release-from-agent.js';
import type { Subject } from '../subject.js';

/** The build whose meta-data is meant: named by its job, or by its own id (agent-protocol 7.1, `--build`). */
export const metaDataOwner = z.object({ of: z.union([z.object({ job: z.string().max(300) }), z.object({ build: z.string().max(300) })]) });

export interface CallersBuild extends Subject {
  /** The job on whose behalf the call is made. */
  job: JobRow;
}

/** The build of the job that calls; another one does not exist for it. */
export async function buildOfCaller(context: Context, of: z.output<typeof metaDataOwner>['of']): Promise<CallersBuild | null> {
  const job = 'job' in of ? ((await findHeldJob(context, of.job))?.job ?? null) : await jobInBuild(context, of.build);
  if (!job) return null;
  requireLiveToken(context, job);
  return { job };
}

async function jobInBuild(context: Context, build: string): Promise<JobRow | null> {
  const { agent, job: claim } = callingAgent(context);
  if (!isId(build)) return null;
  const job = claim ? ((await findHeldJob(context, claim.id))?.job ?? null) : await heldBy(context, agent.id);
  if (!job || job.buildId !== build.toLowerCase()) return null;
  requireHolder(context, job);
  return job;
}

export const metaDataKey = z.string().min(1, "can't be blank").max(limits.metaDataKeyLength);

/** Refuses with 422 what no value may be: blank, or larger than 100 KB (rest-facts 4.6). */
export function requireValue(key: string, value: string): void {
  if (value.trim() === '') throw wrongState(`The value of "${key}" can't be blank`);
  if (byteLength(value) > limits.metaDataValueBytes) throw wrongState(`The value of "${key}" is larger than ${limits.metaDataValueBytes} bytes`);
}
