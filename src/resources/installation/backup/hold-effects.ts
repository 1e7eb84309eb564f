import type { Db } from '../../../entities/database.js';

/** What waited to be sent to others at the time of a backup, and is not sent by itself any more. */
export interface HeldEffects {
  notifications: number;
  commitStatuses: number;
}

const reason = 'restored from a backup: it may have been sent already';

/**
 * Holds what waited to be sent to others at the time of the backup: the installation that was backed up has sent it
 * since, and receivers would get it twice and out of order. Notification deliveries fail with the reason, and can be
 * sent by redelivery; a commit status is sent again with the next change of its build.
 */
export async function holdEffects(trx: Db): Promise<HeldEffects> {
  const notifications = await trx
    .updateTable('notification_deliveries')
    .set({ state: 'failed', lastError: reason, leasedUntilAt: null })
    .where('state', '=', 'pending')
    .executeTakeFirst();
  await trx
    .updateTable('build_notifications')
    .set({ outcome: 'failed', detail: reason })
    .where('outcome', '=', 'pending')
    .execute();
  const statuses = await trx
    .updateTable('commit_statuses')
    .set({ nextAttemptAt: null, lastError: reason })
    .where('nextAttemptAt', 'is not', null)
    .executeTakeFirst();
  await trx.deleteFrom('commit_status_marks').execute();
  return {
    notifications: Number(notifications.numUpdatedRows),
    commitStatuses: Number(statuses.numUpdatedRows),
  };
}
