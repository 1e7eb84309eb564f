import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import type { Services } from '../../services/services.js';
import { readCronLine } from '../../domain/pipelines/cron/cron-line.js';
import { failTrigger } from '../../engine/triggers/start-trigger-job.js';
import { disableSchedule } from '../builds/disable-schedule.js';

interface Effect {
  /** Tells the owner of a unit, so that it is not due any more. False if there is nothing to set aside. */
  setAside(context: Context, unit: string, reason: string): Promise<boolean>;
  /** Makes a unit due again. */
  release(context: Context, unit: string): Promise<void>;
  /** Ends the leases of a process that died. */
  endLeases?(services: Services, units: readonly string[]): Promise<void>;
}

const changed = ({ numUpdatedRows }: { numUpdatedRows: bigint }) => numUpdatedRows > 0n;

const notificationDelivery: Effect = {
  setAside: async ({ db, now }, id, lastError) => {
    const delivery = await db
      .updateTable('notification_deliveries')
      .set({ state: 'failed', leasedUntilAt: null, lastError })
      .where('id', '=', id)
      .where('state', '=', 'pending')
      .returning('buildNotificationId')
      .executeTakeFirst();
    if (delivery?.buildNotificationId)
      await db
        .updateTable('build_notifications')
        .set({ outcome: 'failed', detail: lastError, updatedAt: now })
        .where('id', '=', delivery.buildNotificationId)
        .execute();
    return delivery !== undefined;
  },
  release: async ({ db, now }, id) => {
    await db
      .updateTable('notification_deliveries')
      .set({ state: 'pending', leasedUntilAt: null, nextAttemptAt: now })
      .where('id', '=', id)
      .where('state', '=', 'failed')
      .execute();
  },
  endLeases: async ({ db }, units) => {
    await db
      .updateTable('notification_deliveries')
      .set({ leasedUntilAt: null })
      .where('id', 'in', [...units])
      .where('state', '=', 'pending')
      .execute();
  },
};

const outboxMessage: Effect = {
  setAside: async (context, id, lastError) => {
    const message = await context.db
      .selectFrom('outbox_messages')
      .select(['topic', 'payload', 'failedAt'])
      .where('id', '=', id)
      .executeTakeFirst();
    // The delivery that such a message is about is a unit of its own.
    if (!message || message.failedAt !== null || message.topic === 'webhook.process') return false;
    const { jobId } = message.payload;
    if (message.topic === 'trigger.start' && typeof jobId === 'string') {
      await context.db.deleteFrom('outbox_messages').where('id', '=', id).execute();
      await failTrigger(context, jobId, lastError);
      return true;
    }
    await context.db
      .updateTable('outbox_messages')
      .set({ failedAt: context.now, lastError })
      .where('id', '=', id)
      .execute();
    return true;
  },
  release: async ({ db, now }, id) => {
    await db
      .updateTable('outbox_messages')
      .set({ failedAt: null, availableAt: now, attempts: 0 })
      .where('id', '=', id)
      .execute();
  },
  endLeases: async ({ db, clock }, units) => {
    await db
      .updateTable('outbox_messages')
      .set({ availableAt: clock.now() })
      .where('id', 'in', [...units])
      .where('availableAt', '>', clock.now())
      .where('failedAt', 'is', null)
      .execute();
  },
};

const webhookDelivery: Effect = {
  setAside: async ({ db, now }, id, reason) =>
    changed(
      await db
        .updateTable('webhook_deliveries')
        .set({ outcome: 'failed', reason, processedAt: now })
        .where('id', '=', id)
        .where('processedAt', 'is', null)
        .executeTakeFirst(),
    ),
  release: async (context, id) => {
    const delivery = await context.db
      .updateTable('webhook_deliveries')
      .set({ outcome: null, reason: null, processedAt: null, attempts: 0 })
      .where('id', '=', id)
      .where('outcome', '=', 'failed')
      .returning('organizationId')
      .executeTakeFirst();
    if (delivery)
      context.send({ topic: 'webhook.process', organizationId: delivery.organizationId, payload: { deliveryId: id } });
  },
};

const schedule: Effect = {
  setAside: (context, id, reason) => disableSchedule(context, { id }, reason),
  release: async ({ db, now }, id) => {
    const row = await db
      .selectFrom('pipeline_schedules')
      .select('cronline')
      .where('id', '=', id)
      .where('enabled', '=', false)
      .executeTakeFirst();
    const read = row ? readCronLine(row.cronline) : null;
    if (!read?.ok) return;
    await db
      .updateTable('pipeline_schedules')
      .set({ enabled: true, nextBuildAt: read.line.next(now), failedAt: null, failedMessage: null })
      .where('id', '=', id)
      .execute();
  },
};

const statusOf = (unit: string) => ({ buildId: unit.slice(0, 36), context: unit.slice(37) });

const commitStatus: Effect = {
  setAside: async ({ db }, unit, lastError) =>
    changed(
      await db
        .updateTable('commit_statuses')
        .set({ nextAttemptAt: null, lastError })
        .where('buildId', '=', statusOf(unit).buildId)
        .where('context', '=', statusOf(unit).context)
        .where('nextAttemptAt', 'is not', null)
        .executeTakeFirst(),
    ),
  release: async ({ db, now }, unit) => {
    await db
      .updateTable('commit_statuses')
      .set({ nextAttemptAt: now, attempts: 0 })
      .where('buildId', '=', statusOf(unit).buildId)
      .where('context', '=', statusOf(unit).context)
      .execute();
  },
  endLeases: async ({ db, clock }, units) => {
    for (const { buildId, context } of units.map(statusOf))
      await sql`update commit_statuses set next_attempt_at = ${clock.now()}, leased_until_at = null
        where build_id = ${buildId} and context = ${context} and next_attempt_at is not null`.execute(db);
  },
};

/**
 * What setting aside means for the units of each task whose owner is to learn of it; units of others are only not begun
 * any more.
 */
export const effects: Readonly<Record<string, Effect>> = {
  'webhook-processing': webhookDelivery,
  notifications: notificationDelivery,
  outbox: outboxMessage,
  schedules: schedule,
  'commit-statuses': commitStatus,
};
