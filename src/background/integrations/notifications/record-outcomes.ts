import { sql } from 'kysely';
import type { NotifyOutcome } from '../../../domain/integrations/notify-outcome.js';
import type { Db, NotificationDeliveryRow } from '../../../entities/database.js';
import type { DeliveryResult } from './delivery-result.js';

const outcomes: Readonly<Record<NotificationDeliveryRow['state'], NotifyOutcome>> = {
  pending: 'pending',
  delivered: 'sent',
  failed: 'failed',
};

/** Writes what came of deliveries to the rows of the builds whose `notify` asked for them. */
export async function recordOutcomes(db: Db, now: Date, results: readonly DeliveryResult[]): Promise<void> {
  const rows = results
    .filter(({ build_notification_id: id }) => id !== null)
    .map(({ build_notification_id: id, state, last_error: detail }) => ({ id, outcome: outcomes[state], detail }));
  if (rows.length === 0) return;
  await sql`
    update build_notifications b set outcome = r.outcome, detail = r.detail, updated_at = ${now}
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(id uuid, outcome text, detail text)
    where b.id = r.id`.execute(db);
}
