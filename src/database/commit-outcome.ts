import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db } from '../entities/database.js';
import { codeOf, DatabaseUnavailableError } from './faults.js';
import type { TransactionMark } from './postgres-driver.js';

export type CommitOutcome = 'committed' | 'aborted' | 'unknown';

/** Milliseconds for which the outcome is looked up; a caller waits meanwhile. */
const patience = 6_000;

/**
 * Looks up the outcome of a transaction whose COMMIT was not answered, by its number. After a crash a number may be
 * reused, so "committed" is then not trusted; "not committed" always is (docs/decisions/0007-unanswered-commits.md).
 */
export async function outcomeOf(db: Db, mark: TransactionMark): Promise<CommitOutcome> {
  const deadline = performance.now() + patience;
  for (let pause = 50; ; pause = Math.min(pause * 2, 500)) {
    const outcome = await ask(db, mark);
    if (outcome !== null || performance.now() > deadline) return outcome ?? 'unknown';
    await sleep(pause);
  }
}

/** Null: not known yet. */
async function ask(db: Db, { xid, incarnation }: TransactionMark): Promise<CommitOutcome | null> {
  try {
    const { rows } = await sql<{ status: string | null; incarnation: string }>`
      select pg_xact_status(${xid}::xid8) as status, (select coalesce(stats_reset::text, '') from
        pg_stat_bgwriter) as incarnation`.execute(db);
    const [row] = rows;
    if (row?.status === 'aborted') return 'aborted';
    if (row?.status === 'in progress') return null;
    return row?.status === 'committed' && row.incarnation === incarnation ? 'committed' : 'unknown';
  } catch (error) {
    if (error instanceof DatabaseUnavailableError) return null;
    // "transaction ID is in the future": the server lost it in a crash.
    if (codeOf(error) === '22023') return 'aborted';
    throw error;
  }
}
