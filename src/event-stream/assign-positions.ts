import { sql } from 'kysely';
import type { Services } from '../services/services.js';
import { inTransaction } from '../database/transaction.js';

const atOnce = 1000;

/** State of the event stream. */
export interface StreamState {
  /** The last position assigned. */
  last: number;
  /** Events up to this position are deleted by age. */
  forgotten: number;
  /** Whether committed events wait for a position. */
  waiting: boolean;
}

/** Reads the state of the event stream in one statement. */
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
 * Assigns stream positions to at most a thousand committed events; true if more may wait. One process at a time assigns
 * them, under the lock of the stream's row, and does nothing while another process holds it. The positions become
 * visible together and in order, so a reader that sees a position can read all earlier ones. Events are ordered by
 * `ordinal`, so the events of one subject keep their order.
 */
export async function assignPositions({ db }: Pick<Services, 'db'>): Promise<boolean> {
  return inTransaction(db, 'events.place', async (trx) => {
    const stream = await trx
      .selectFrom('event_streams')
      .select('lastPosition')
      .where('name', '=', 'events')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!stream) return false;
    // A separate statement, so that it reads after the lock is held and sees positions that another process has
    // assigned.
    const { rows } = await sql<{ position: number }>`
      update events set position = ${stream.lastPosition}::bigint + positioned.number
      from (select id, row_number() over (order by ordinal) as number from (select id, ordinal from events where
        position is null order by ordinal limit ${sql.lit(atOnce)}) as waiting) as positioned
      where events.id = positioned.id
      returning events.position`.execute(trx);
    if (rows.length === 0) return false;
    await trx
      .updateTable('event_streams')
      .set({ lastPosition: stream.lastPosition + rows.length })
      .where('name', '=', 'events')
      .execute();
    return rows.length === atOnce;
  });
}
