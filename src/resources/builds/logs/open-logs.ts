import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { JobRow } from '../../../entities/database.js';
import { measureLog } from '../../../storage/logs/read-log.js';
import { placedEntriesSql } from './chunk-index.js';
import { logStore, logView } from './log-store.js';
import { type ReadableLog, readableLog } from './readable-log.js';

/**
 * Opens and measures the logs of several jobs that the caller may see; those whose log has expired have no entry.
 */
export async function openLogs(context: Context, jobs: readonly JobRow[]): Promise<Map<string, ReadableLog>> {
  const withLog = jobs.filter(({ logExpiredAt }) => logExpiredAt === null);
  const sizes = await measureLogs(context, withLog);
  const logs = await Promise.all(withLog.map((job) => open(context, job, sizes.get(job.id) ?? null)));
  return new Map(logs.map((log) => [log.job.id, log]));
}

async function open(context: Context, job: JobRow, measured: number | null): Promise<ReadableLog> {
  const { load, uncheckedRows } = context;
  const [organization, pipeline, build] = await Promise.all([
    load.organization.load(job.organizationId),
    uncheckedRows.pipeline.load(job.pipelineId),
    uncheckedRows.build.load(job.buildId),
  ]);
  if (!organization || !pipeline || !build) throw new Error(`job ${job.id} has lost its build`);
  const size = measured ?? (await measureLog(logStore(context.services, job.organizationId, context.db), logView(job)));
  return readableLog(context, { organization, pipeline, build, job }, size);
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
