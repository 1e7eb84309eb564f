import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { nextTurn } from '../../../event-loop/turns.js';
import type { JobRow } from '../../../entities/database.js';
import { loadAll } from '../../../loaders/load-all.js';
import { measureLog } from '../../../storage/logs/read-log.js';
import { placedEntriesSql } from './chunk-index.js';
import { logStore, logView } from './log-store.js';
import { type LogOwner, type ReadableLog, readableLog } from './readable-log.js';

/** Logs that are opened in one turn of the event loop: 4,000 at once hold it up for a tenth of a second. */
const openedAtOnce = 500;

/**
 * Opens and measures the logs of several jobs that the caller may see; those whose log has expired have no entry.
 */
export async function openLogs(context: Context, jobs: readonly JobRow[]): Promise<Map<string, ReadableLog>> {
  const withLog = jobs.filter(({ logExpiredAt }) => logExpiredAt === null);
  const sizes = await measureLogs(context, withLog);
  const ownerOf = await loadOwners(context, withLog);
  const logs = new Map<string, ReadableLog>();
  for (const [index, job] of withLog.entries()) {
    if (index > 0 && index % openedAtOnce === 0) await nextTurn();
    const size = sizes.get(job.id) ?? (await measureOne(context, job));
    logs.set(job.id, readableLog(context, ownerOf(job), size));
  }
  return logs;
}

const measureOne = ({ services, db }: Context, job: JobRow): Promise<number> =>
  measureLog(logStore(services, job.organizationId, db), logView(job));

/** Loads what the jobs belong to, each once: many jobs are of few builds. Returns a function that finds it. */
export async function loadOwners(
  { load, uncheckedRows }: Context,
  jobs: readonly JobRow[],
): Promise<(job: JobRow) => LogOwner> {
  const [organizations, pipelines, builds] = await Promise.all([
    loadAll(
      load.organization,
      jobs.map((job) => job.organizationId),
    ),
    loadAll(
      uncheckedRows.pipeline,
      jobs.map((job) => job.pipelineId),
    ),
    loadAll(
      uncheckedRows.build,
      jobs.map((job) => job.buildId),
    ),
  ]);
  return (job) => {
    const [organization, pipeline, build] = [
      organizations.get(job.organizationId),
      pipelines.get(job.pipelineId),
      builds.get(job.buildId),
    ];
    if (!organization || !pipeline || !build) throw new Error(`job ${job.id} has lost its build`);
    return { organization, pipeline, build, job };
  };
}

/** Logs with at most this many entries are measured together in one statement; longer ones have one each. */
const measuredTogether = 5_000;

/** Returns the readable bytes of the jobs' logs by the rules of `LogLayout`; null for a log with too many entries. */
async function measureLogs(context: Context, jobs: readonly JobRow[]): Promise<Map<string, number | null>> {
  if (jobs.length === 0) return new Map();
  const ids = jobs.map((job) => job.id);
  const finished = jobs.map((job) => logView(job).finished);
  const { rows } = await sql<{ jobId: string; bytes: number | null }>`
    select j.id as job_id, case when coalesce(u.entries, 0) <=
      ${measuredTogether} then coalesce(log.size, 0) end as bytes
    from unnest(${sql.val(ids)}::uuid[], ${sql.val(finished)}::boolean[]) as j(id, finished)
    left join log_usage u on u.job_id = j.id
    left join lateral (
      select sum(added) filter (where j.finished or not broken)::bigint as size from (${placedEntriesSql}) as placed
    ) as log on u.entries <= ${measuredTogether}`.execute(context.db);
  return new Map(rows.map(({ jobId, bytes }) => [jobId, bytes]));
}
