import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { byteLength, limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import type { JobRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { findHeldJob, jobOfCaller, requireLiveToken } from '../jobs/held-job.js';
import type { Subject } from '../../../core/subject.js';

/** Address of the build: by its job, or by its own id (`--build`). */
export const metaDataOwner = z.object({
  of: z.union([z.object({ job: z.string().max(300) }), z.object({ build: z.string().max(300) })]),
});

export interface CallersBuild extends Subject {
  /** The calling job. */
  job: JobRow;
}

/** Finds the build of the calling job; any other is absent. */
export async function buildOfCaller(
  context: Context,
  of: z.output<typeof metaDataOwner>['of'],
): Promise<CallersBuild | null> {
  const job = 'job' in of ? ((await findHeldJob(context, of.job))?.job ?? null) : await jobInBuild(context, of.build);
  if (!job) return null;
  requireLiveToken(context, job);
  return { job };
}

async function jobInBuild(context: Context, build: string): Promise<JobRow | null> {
  const job = isId(build) ? await jobOfCaller(context) : null;
  return job?.buildId === build.toLowerCase() ? job : null;
}

export const metaDataKey = z.string().min(1, "can't be blank").max(limits.metaDataKeyLength);

/** Throws 422 for a value that is blank or larger than 100 KB. */
export function requireValue(key: string, value: string): void {
  if (value.trim() === '') throw wrongState(`The value of "${key}" can't be blank`);
  if (byteLength(value) > limits.metaDataValueBytes)
    throw wrongState(`The value of "${key}" is larger than ${limits.metaDataValueBytes} bytes`);
}
