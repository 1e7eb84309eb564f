import { sql } from 'kysely';
import type { Services } from '../../context.js';
import { inTransaction } from '../../database/transaction.js';

const atOnce = 1000;

/** Where the order of events stands. */
export interface StreamState {
  /** The last position given. */
  last: number;
  /** Events at or before it are deleted for their age. */
  forgotten: number;
  /** Whether committed events wait for a position. */
  waiting: boolean;
}

/** Reads where the order of events stands, with one statement. */
export async function readStreamState({ db }: Pick<Services, 'db'>): Promise<StreamState> {
  const row = await db
    .selectFrom('event_streams')
    .select(['lastPosition', 'forgottenPosition'])
    .select(sql<boolean>`exists (select 1 from events where position is null)`.as('waiting'))
    .where('name', '=', 'events')
    .executeTakeFirstOrThrow();
  return { last: row.lastPosition, forgotten: row.forgottenPosition, waiting: row.waiting };
}

/**
 * Gives committed events their place in the order that streams follow, at most a thousand; true where more may wait.
 * One process at a time does so, under the lock of the stream's row: what it places becomes visible at once and in
 * order, so whoever has seen a position has seen, or can read, all before it (I13). By `ordinal`, so that the events
 * of one thing keep the order in which they happened (I10). Where another process is at it nothing is done.
 */
export async function placeEvents({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return inTransaction(db, 'events.place', async (trx) => {
    const stream = await trx.selectFrom('event_streams').select('lastPosition').where('name', '=', 'events').forUpdate().skipLocked().executeTakeFirst();
    if (!stream) return false;
    // A statement of its own: what it sees is read after the lock is held, so nothing another process placed is placed again.
    const { rows } = await sql<{ position: number }>`
      update events set position = ${stream.lastPosition}::bigint + placed.number
      from (select id, row_number() over (order by ordinal) as number from (select id, ordinal from events where position is null order by ordinal limit ${sql.lit(atOnce)}) as waiting) as placed
      where events.id = placed.id
      returning events.position`.execute(trx);
    if (rows.length === 0) return false;
    await trx.updateTable('event_streams').set({ lastPosition: stream.lastPosition + rows.length }).where('name', '=', 'events').execute();
    return rows.length === atOnce;
  });
}
