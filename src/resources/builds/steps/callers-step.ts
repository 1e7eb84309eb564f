import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import type { JobRow, StepRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import type { Subject } from '../../../core/subject.js';
import type { LockedJob } from '../../../engine/builds/lock-job.js';
import { jobOfCaller, lockHeldJob, requireLiveToken, requireUnfinished } from '../jobs/held-job.js';

/** Address of a step by its id, or by its key in the build of the calling job. */
export const stepInput = z.object({ step: z.string().max(300), build: z.string().max(300).nullish() });

export interface CallersStep extends Subject {
  step: StepRow;
  /** The calling job. */
  job: JobRow;
}

/**
 * The calling job, which must not have ended, with its build's row locked; null where it is not in the build that the
 * call names.
 */
export async function lockCallersBuild(context: Context, buildId: string | null): Promise<LockedJob | null> {
  const job = await jobOfCaller(context);
  if (!job || (buildId !== null && job.buildId !== buildId.toLowerCase())) return null;
  const locked = await lockHeldJob(context, job.id);
  if (locked) requireUnfinished(locked.job);
  return locked;
}

/** Finds a step in the build of the calling job; any other is absent. */
export async function findCallersStep(
  context: Context,
  { step, build }: z.output<typeof stepInput>,
): Promise<CallersStep | null> {
  const job = await jobOfCaller(context);
  if (job) requireLiveToken(context, job);
  return job && inBuild(context, job, step, build);
}

/** Like {@link findCallersStep}, with the build's row locked. */
export async function lockCallersStep(
  context: Context,
  { step, build }: z.output<typeof stepInput>,
): Promise<(CallersStep & LockedJob) | null> {
  const locked = await lockCallersBuild(context, null);
  const row = locked && (await inBuild(context, locked.job, step, build));
  return locked && row && { ...locked, ...row };
}

async function inBuild(
  context: Context,
  job: JobRow,
  idOrKey: string,
  build: string | null | undefined,
): Promise<CallersStep | null> {
  if (build && build.toLowerCase() !== job.buildId) return null;
  const query = context.db.selectFrom('steps').selectAll().where('buildId', '=', job.buildId);
  const step = await (
    isId(idOrKey) ? query.where('id', '=', idOrKey) : query.where('key', '=', idOrKey)
  ).executeTakeFirst();
  return step ? { step, job } : null;
}
