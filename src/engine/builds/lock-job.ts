import type { Context } from '../../context.js';
import type { BuildRow, JobRow } from '../../entities/database.js';

export interface LockedJob {
  job: JobRow;
  build: BuildRow;
}

/** Locks a job's build and reads the job again. `skipLocked`: returns null if another transaction holds the lock. */
export async function lockJob(
  context: Context,
  { id, buildId }: Pick<JobRow, 'id' | 'buildId'>,
  { skipLocked = false } = {},
): Promise<LockedJob | null> {
  const query = context.db.selectFrom('builds').selectAll().where('id', '=', buildId).forUpdate();
  const build = await (skipLocked ? query.skipLocked() : query).executeTakeFirst();
  const job = build && (await context.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst());
  return build && job ? { job, build } : null;
}

/** Locks the build of a job known by its id and reads both. */
export async function lockJobById(context: Context, id: string): Promise<LockedJob | null> {
  const row = await context.db.selectFrom('jobs').select(['id', 'buildId']).where('id', '=', id).executeTakeFirst();
  return row ? lockJob(context, row) : null;
}
