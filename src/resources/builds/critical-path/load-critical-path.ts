import type { Context } from '../../../request/context.js';
import { criticalPath, type PathStretch, type TimedJob } from '../../../domain/builds/critical-path/critical-path.js';
import { loadBuild, type SchedulableJob, scheduleFacts } from '../../../engine/builds/load-facts.js';
import type { BuildRow, JobRow } from '../../../entities/database.js';

/** Columns of a job that say when it did what, besides those that scheduling reads. */
const timeColumns = [
  'id',
  'concurrencyQueuedAt',
  'runnableAt',
  'finishedAt',
  'unblockedAt',
  'canceledAt',
  'expiredAt',
  'retrySourceId',
  'retryType',
] as const satisfies readonly (keyof JobRow)[];
type JobTimes = Pick<JobRow, (typeof timeColumns)[number]>;

/** The critical path of a build, up to now for one that has not ended. */
export async function loadCriticalPath(context: Context, build: BuildRow): Promise<PathStretch[]> {
  const facts = await loadBuild(context, build);
  const times = await context.db.selectFrom('jobs').select(timeColumns).where('buildId', '=', build.id).execute();
  const timesById = new Map(times.map((row) => [row.id, row]));
  return criticalPath({
    createdAt: build.createdAt,
    endedAt: build.finishedAt ?? context.now,
    steps: scheduleFacts(facts).steps,
    jobs: facts.jobs.flatMap((job) => {
      const row = timesById.get(job.id);
      return row ? [timed(job, row)] : [];
    }),
  });
}

const timed = (
  { stepId, type, state, createdAt, startedAt }: SchedulableJob,
  { finishedAt, unblockedAt, canceledAt, expiredAt, ...row }: JobTimes,
): TimedJob => ({
  ...row,
  stepId,
  type,
  state,
  createdAt,
  startedAt,
  endedAt: unblockedAt ?? finishedAt ?? canceledAt ?? expiredAt,
});
