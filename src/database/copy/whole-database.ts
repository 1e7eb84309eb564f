import { sql } from 'kysely';
import type { Db } from '../../entities/database.js';
import type { OpenDatabase } from '../open.js';

/**
 * Runs work on one unchanging view of the whole database, which neither blocks writers nor is bounded in time. The
 * embedded database has one connection: nobody else is served meanwhile.
 */
export async function inSnapshot<T>(database: OpenDatabase, work: (trx: Db) => Promise<T>): Promise<T> {
  const { db, close } = database.openBulk();
  try {
    return await db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute<T>(work);
  } finally {
    await close();
  }
}

/** Runs work that writes whole tables in one transaction without a limit of time: all of it is there, or nothing. */
export async function inBulkTransaction<T>(database: OpenDatabase, work: (trx: Db) => Promise<T>): Promise<T> {
  const { db, close } = database.openBulk();
  try {
    const result = await db.transaction().execute<T>(work);
    // The planner knows nothing of tables that were filled at once.
    await sql`analyze`.execute(db);
    return result;
  } finally {
    await close();
  }
}
