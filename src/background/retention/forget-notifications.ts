import { isChosen, place } from '../../database/chosen-rows.js';
import type { Services } from '../../services/services.js';
import { deliveryLifetimeMs } from '../../domain/integrations/notification-retry.js';
import { limits } from '../../domain/limits/limits.js';

const atOnce = 500;

/**
 * Deletes expired notification deliveries, and notifications without pending ones, in one bounded round. Returns the
 * number of rows deleted.
 */
export async function forgetNotifications({ db, clock }: Services): Promise<number> {
  const now = clock.now().getTime();
  const olderThan = new Date(now - limits.deliveriesKeptDays * 24 * 60 * 60_000);
  const deliveries = await db
    .deleteFrom('notification_deliveries')
    .where(
      isChosen(
        db
          .selectFrom('notification_deliveries')
          .select(place('notification_deliveries').as('place'))
          .where('createdAt', '<', olderThan)
          .where('state', '!=', 'pending')
          .limit(atOnce),
      ),
    )
    .executeTakeFirst();
  // Nothing of an event is pending once its time is up and its last delivery is gone.
  const notifications = await db
    .deleteFrom('notifications')
    .where(
      isChosen(
        db
          .selectFrom('notifications as n')
          .select(place('n').as('place'))
          .where('n.createdAt', '<', new Date(Math.min(olderThan.getTime(), now - deliveryLifetimeMs)))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('notification_deliveries as d').select('d.id').whereRef('d.notificationId', '=', 'n.id'),
              ),
            ),
          )
          .limit(atOnce),
      ),
    )
    .executeTakeFirst();
  return Number(deliveries.numDeletedRows) + Number(notifications.numDeletedRows);
}
