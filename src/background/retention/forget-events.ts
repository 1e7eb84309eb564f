import type { Services } from '../../services/services.js';
import { inTransaction } from '../../database/transaction.js';
import { limits } from '../../domain/limits/limits.js';

const atOnce = 1000;

/**
 * Deletes expired events from the start of the stream and records up to where, so that a subscription before that fails
 * instead of skipping events. Returns the number deleted, at most a thousand.
 */
export async function forgetEvents({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<number> {
  const oldest = clock.now().getTime() - limits.eventRetentionDays * 86_400_000;
  return inTransaction(db, 'events.forget', async (trx) => {
    const stream = await trx
      .selectFrom('event_streams')
      .select('name')
      .where('name', '=', 'events')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst();
    if (!stream) return 0;
    const first = await trx
      .selectFrom('events')
      .select(['id', 'position', 'createdAt'])
      .where('position', 'is not', null)
      .orderBy('position')
      .limit(atOnce)
      .execute();
    const young = first.findIndex((event) => event.createdAt.getTime() >= oldest);
    const old = young === -1 ? first : first.slice(0, young);
    const last = old.at(-1)?.position;
    if (last === undefined || last === null) return 0;
    await trx
      .deleteFrom('events')
      .where(
        'id',
        'in',
        old.map((event) => event.id),
      )
      .execute();
    await trx.updateTable('event_streams').set({ forgottenPosition: last }).where('name', '=', 'events').execute();
    return old.length;
  });
}
