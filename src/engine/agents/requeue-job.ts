import type { Context } from '../../context.js';
import { jobExpiryMinutes } from '../../domain/builds/job-expiry.js';
import { transition } from '../../domain/builds/job-state.js';
import type { JobRow } from '../../entities/database.js';
import { recordJobChange } from '../builds/apply-changes.js';
import { jobPatch } from '../builds/job-patch.js';

/**
 * Returns an offered or accepted job that never started to the queue. The caller has locked its build and read the job
 * under that lock. False if the job has started or ended.
 */
export async function requeueJob(context: Context, job: JobRow, reason: string): Promise<boolean> {
  const move = transition(job.type, job.state, 'requeue');
  if (move.kind !== 'moved') return false;
  const organization = await context.load.organization.load(job.organizationId);
  const expiresAt = new Date(
    job.createdAt.getTime() + (organization?.scheduledJobExpiryInMinutes ?? jobExpiryMinutes) * 60_000,
  );
  const result = await context.db
    .updateTable('jobs')
    .set(jobPatch(move.to, { now: context.now, expiresAt, since: job.createdAt }))
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .where('attempt', '=', job.attempt)
    .executeTakeFirst();
  if (Number(result.numUpdatedRows) !== 1) throw new Error(`job ${job.id} changed although its build was locked`);
  recordJobChange(context, job, 'requeue', move.to, reason);
  return true;
}
