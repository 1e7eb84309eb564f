import { isChosen, place } from '../../database/chosen-rows.js';
import type { Services } from '../../services/services.js';
import { limits } from '../../domain/limits/limits.js';

const atOnce = 500;
const dayMs = 86_400_000;

/**
 * Deletes expired deliveries, and closed pull requests unchanged for as long. Returns the number deleted, at most a
 * thousand.
 */
export async function forgetDeliveries({ db, clock }: Services): Promise<number> {
  const now = clock.now().getTime();
  const oldest = new Date(now - limits.webhookDeliveryDays * dayMs);
  const old = db
    .selectFrom('webhook_deliveries')
    .select(place('webhook_deliveries').as('place'))
    .where('createdAt', '<', oldest)
    .orderBy('createdAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked();
  const deleted = await db.deleteFrom('webhook_deliveries').where(isChosen(old)).returning('id').execute();
  if (deleted.length > 0)
    await db
      .deleteFrom('webhook_delivery_builds')
      .where(
        'deliveryId',
        'in',
        deleted.map(({ id }) => id),
      )
      .execute();
  const quiet = db
    .selectFrom('pull_requests')
    .select(place('pull_requests').as('place'))
    .where('updatedAt', '<', new Date(now - limits.closedPullRequestDays * dayMs))
    .where('closed', '=', true)
    .orderBy('updatedAt')
    .limit(atOnce)
    .forUpdate()
    .skipLocked();
  const forgotten = await db.deleteFrom('pull_requests').where(isChosen(quiet)).executeTakeFirst();
  return deleted.length + Number(forgotten.numDeletedRows);
}
