import { sql } from 'kysely';
import { inTransaction } from '../../../../database/transaction.js';
import type { Db } from '../../../../entities/database.js';

/** What a log is made of: its entries, their bytes, and a sum over what they are. */
export interface LogState {
  entries: number;
  bytes: number;
  sum: string;
}

/** Null for a log without entries. */
export async function stateOfLog(db: Db, jobId: string): Promise<LogState | null> {
  const { rows } = await sql<LogState>`
    select u.entries, u.bytes, c.sum from log_usage u
    cross join lateral (
      select sum(hashtextextended(stored_key, sequence))::text as sum from log_chunks where job_id = u.job_id
    ) as c
    where u.job_id = ${jobId} and c.sum is not null`.execute(db);
  return rows[0] ?? null;
}

/** Stores something that was made of a log. False, and nothing done, if the log has changed since. */
export async function inUnchangedLog(
  db: Db,
  jobId: string,
  state: LogState,
  store: (trx: Db) => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(db, 'log.digest', async (trx) => {
    // Who adds an entry to the log, or deletes it, changes this row.
    await trx.selectFrom('log_usage').select('jobId').where('jobId', '=', jobId).forUpdate().execute();
    const now = await stateOfLog(trx, jobId);
    if (now?.entries !== state.entries || now.bytes !== state.bytes || now.sum !== state.sum) return false;
    return store(trx);
  });
}
