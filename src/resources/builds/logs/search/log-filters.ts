import { sql } from 'kysely';
import { inTransaction } from '../../../../database/transaction.js';
import type { Db, JobRow, NewRow } from '../../../../entities/database.js';
import type { Services } from '../../../../services/services.js';
import { TaskTooDear } from '../../../../workers/pool.js';
import { logStore } from '../log-store.js';
import { partsOf } from './log-parts.js';

/** Filters that are stored together; as many are held in memory. */
const filtersTogether = 16;

type NewFilter = NewRow<'log_filters'>;
type LogOfJob = Pick<JobRow, 'id' | 'organizationId'>;

/**
 * Makes and stores the filters of a finished job's log, in threads, a mebibyte of the log at a time. Nothing is stored
 * for a log that changes meanwhile, or of which bytes are missing: it is searched without.
 */
export async function storeFilters(services: Services, job: LogOfJob): Promise<void> {
  const { db } = services;
  const state = await stateOfLog(db, job.id);
  if (state === null || !(await writeFilters(services, job, state)))
    await db.deleteFrom('log_filters').where('jobId', '=', job.id).execute();
}

/** Whether the filters of all of the log are stored. */
async function writeFilters(services: Services, job: LogOfJob, state: LogState): Promise<boolean> {
  const { db } = services;
  let isDamaged = false;
  const store = { ...logStore(services, job.organizationId), onDamage: () => void (isDamaged = true) };
  let filters: NewFilter[] = [];
  let offset = 0;
  let line = 0;
  for await (const bytes of partsOf({ store, view: { jobId: job.id, finished: true }, size: Infinity }, 0)) {
    const filter = await makeFilter(services, bytes);
    if (isDamaged || filter === null) return false;
    if (filters.length === filtersTogether) {
      if (!(await insertFilters(db, job.id, state, filters))) return false;
      filters = [];
    }
    filters.push({
      jobId: job.id,
      organizationId: job.organizationId,
      startOffset: offset,
      size: bytes.length,
      firstLine: line,
      trigrams: Buffer.from(filter.trigrams),
      logEntries: null,
      logBytes: null,
    });
    offset += bytes.length;
    line += filter.lines;
  }
  const last = filters.pop();
  if (!last) return false;
  const { entries: logEntries, bytes: logBytes } = state;
  return insertFilters(db, job.id, state, [...filters, { ...last, logEntries, logBytes }]);
}

async function makeFilter({ workers }: Services, bytes: Uint8Array) {
  try {
    return await workers.run('log.filter', 'system', { bytes });
  } catch (error) {
    if (error instanceof TaskTooDear) return null;
    throw error;
  }
}

/** What a log is made of: its entries, their bytes, and a sum over what they are. */
interface LogState {
  entries: number;
  bytes: number;
  sum: string;
}

/** Null for a log without entries. */
async function stateOfLog(db: Db, jobId: string): Promise<LogState | null> {
  const { rows } = await sql<LogState>`
    select u.entries, u.bytes, c.sum from log_usage u
    cross join lateral (
      select sum(hashtextextended(stored_key, sequence))::text as sum from log_chunks where job_id = u.job_id
    ) as c
    where u.job_id = ${jobId} and c.sum is not null`.execute(db);
  return rows[0] ?? null;
}

/** Stores filters behind those that are there. False, and nothing done, if the log or its filters have changed. */
async function insertFilters(db: Db, jobId: string, state: LogState, filters: readonly NewFilter[]): Promise<boolean> {
  return inTransaction(db, 'log.filter', async (trx) => {
    // Who adds an entry to the log, or deletes it, changes this row.
    await trx.selectFrom('log_usage').select('jobId').where('jobId', '=', jobId).forUpdate().execute();
    const now = await stateOfLog(trx, jobId);
    if (now?.entries !== state.entries || now.bytes !== state.bytes || now.sum !== state.sum) return false;
    const start = filters[0]?.startOffset ?? 0;
    if (start === 0) await trx.deleteFrom('log_filters').where('jobId', '=', jobId).execute();
    else {
      const { rows } = await sql<{ startOffset: number }>`
        select coalesce(max(start_offset + size), 0)::bigint as start_offset from log_filters
        where job_id = ${jobId}`.execute(trx);
      if (rows[0]?.startOffset !== start) return false;
    }
    await trx
      .insertInto('log_filters')
      .values([...filters])
      .execute();
    return true;
  });
}
