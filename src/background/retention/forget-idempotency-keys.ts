import { isChosen, place } from '../../database/chosen-rows.js';
import type { Services } from '../../services/services.js';
import { limits } from '../../domain/limits/limits.js';

const atOnce = 1000;

/** Deletes expired idempotency keys. Returns the number deleted, at most a thousand. */
export async function forgetIdempotencyKeys({ db, clock }: Services): Promise<number> {
  const oldest = new Date(clock.now().getTime() - limits.idempotencyKeyHours * 3_600_000);
  const old = db
    .selectFrom('idempotency_keys')
    .select(place('idempotency_keys').as('place'))
    .where('createdAt', '<', oldest)
    .orderBy('createdAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked();
  const result = await db.deleteFrom('idempotency_keys').where(isChosen(old)).executeTakeFirst();
  return Number(result.numDeletedRows);
}
