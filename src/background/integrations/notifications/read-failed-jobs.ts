import { type FailedJob, type FailedJobs, noFailedJobs } from '../../../channels/failed-jobs.js';
import type { Excerpt } from '../../../domain/builds/failures/failure-excerpts.js';
import { failureReason } from '../../../domain/builds/failures/job-failure.js';
import { tellingLines } from '../../../domain/builds/failures/telling-lines.js';
import { limits } from '../../../domain/limits/limits.js';
import type { Db } from '../../../entities/database.js';
import { Context } from '../../../request/context.js';
import { jobHasFailed } from '../../../resources/builds/failures/job-has-failed.js';
import { loadExcerptsOf } from '../../../resources/builds/failures/load-failures.js';
import type { Services } from '../../../services/services.js';
import { webUrls } from '../../../services/web-urls.js';
import { firstLine } from '../../../domain/first-line.js';

const mostJobs = 3;
/** A message goes out without lines of logs where storage takes longer. */
const patienceMs = 10_000;

/**
 * The first jobs that failed in a build, or in a step or group of it, with the lines of their logs that tell most;
 * without lines where they cannot be read now. A job that failed softly counts for its step alone.
 */
export async function readFailedJobs(
  services: Services,
  { buildId, stepId }: { buildId: string; stepId: string | null },
): Promise<FailedJobs> {
  const ids = await failedIds(services.db, buildId, stepId);
  if (ids.length === 0) return noFailedJobs;
  const context = new Context(services, {
    actor: { kind: 'system', cause: 'notifications' },
    surface: 'system',
    requestId: buildId,
    signal: AbortSignal.timeout(patienceMs),
  });
  const { load, uncheckedRows } = context;
  const build = await uncheckedRows.build.load(buildId);
  const pipeline = build && (await uncheckedRows.pipeline.load(build.pipelineId));
  const organization = pipeline && (await load.organization.load(pipeline.organizationId));
  if (!organization) return noFailedJobs;
  const rows = await Promise.all(ids.slice(0, mostJobs).map((id) => uncheckedRows.job.load(id)));
  const shown = rows.filter((job) => job !== null);
  const excerpts = await loadExcerptsOf(context, shown).catch((error: unknown) => {
    services.log.warn({ buildId, err: error }, 'a message goes out without lines of logs');
    return new Map<string, Excerpt[]>();
  });
  const jobs = shown.map((job): FailedJob => ({
    name: job.label ?? (firstLine(job.command) || 'job'),
    url: webUrls.job(services.baseUrl, organization.slug, pipeline.slug, build.number, job.id),
    reason: failureReason(job),
    lines: tellingLines(excerpts.get(job.id) ?? []),
  }));
  return { jobs, more: ids.length - shown.length };
}

/** Failed jobs that no retry has replaced, the one that ended first before the others. */
async function failedIds(db: Db, buildId: string, stepId: string | null): Promise<string[]> {
  let query = db
    .selectFrom('jobs')
    .select('id')
    .where('buildId', '=', buildId)
    .where('retriedInJobId', 'is', null)
    .where(jobHasFailed('jobs'))
    .orderBy('finishedAt')
    .orderBy('id')
    .limit(limits.jobsPerBuild);
  query =
    stepId === null
      ? query.where('softFailed', '=', false)
      : query.where('stepId', 'in', (steps) =>
          steps
            .selectFrom('steps')
            .select('id')
            .where('buildId', '=', buildId)
            .where((is) => is.or([is('id', '=', stepId), is('groupId', '=', stepId)])),
        );
  return (await query.execute()).map(({ id }) => id);
}
