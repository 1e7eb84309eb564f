import { sql } from 'kysely';
import { rowAsColumns } from '../../../database/row-conversion.js';
import type { Db, NotificationDeliveryRow, NotificationServiceRow } from '../../../entities/database.js';

/** Lease of a delivery: its owner may have died. Longer than any request may take. */
const leaseMs = 60_000;
/** Due deliveries that are looked at for each one that may be taken, so that one receiver's do not hide all others. */
const seenPerTaken = 2;

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

/** A leased delivery with what is sent. */
export interface DueDelivery {
  delivery: NotificationDeliveryRow;
  /** Null if it was deleted. */
  notification: { event: string; payload: string } | null;
  /** Null for a `notify` entry, or if it was deleted. */
  service: NotificationServiceRow | null;
  /** The user who created the service; null without one. */
  sender: { id: string; name: string } | null;
}

interface FoundDelivery {
  delivery: NotificationDeliveryRow;
  notification: Nullable<NonNullable<DueDelivery['notification']>>;
  service: Nullable<NotificationServiceRow>;
  sender: Nullable<NonNullable<DueDelivery['sender']>>;
}

export interface Room {
  /** Deliveries that may be taken, in all and of one receiver. */
  most: number;
  perReceiver: number;
  /** Receivers of which none is taken. */
  busy: string[];
}

/**
 * Leases due deliveries as far as there is room, the first of each receiver and subject; each counts as attempted from
 * here on. One statement, with what is needed to send them: the conditions are there twice because the first look is
 * without locks. It has no name, as the plan of an empty queue would take seconds for a full one.
 */
export async function leaseDueDeliveries(db: Db, now: Date, { most, perReceiver, busy }: Room): Promise<DueDelivery[]> {
  const until = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<FoundDelivery>`
    with first as (
      select d.id, d.receiver, d.next_attempt_at from notification_deliveries d
      where d.state = 'pending' and d.next_attempt_at <= ${now} and (d.leased_until_at is null or d.leased_until_at <= ${now})
        and d.receiver <> all(${sql.val(busy)}::text[])
        and not exists (
          select from notification_deliveries earlier
          where earlier.state = 'pending' and earlier.receiver = d.receiver and earlier.order_key = d.order_key
            and (earlier.sequence, earlier.id) < (d.sequence, d.id))
      order by d.next_attempt_at, d.id limit ${most * seenPerTaken}
    ), ranked as (
      select id, row_number() over (partition by receiver order by next_attempt_at, id) as place from first
    ), due as (
      select d.id from notification_deliveries d join ranked on ranked.id = d.id
      where ranked.place <= ${perReceiver} and d.state = 'pending' and d.next_attempt_at <= ${now}
        and (d.leased_until_at is null or d.leased_until_at <= ${now})
      order by d.next_attempt_at, d.id limit ${most} for update of d skip locked
    ), leased as (
      update notification_deliveries d set leased_until_at = ${until}, attempts = d.attempts + 1, attempted_at = ${now}
      from due where d.id = due.id returning d.*
    )
    select ${rowAsColumns('notification_deliveries', 'leased', 'delivery')},
      n.event as "notification.event", n.payload as "notification.payload",
      ${rowAsColumns('notification_services', 's', 'service')}, u.id as "sender.id", u.name as "sender.name"
    from leased
    left join notifications n on n.id = leased.notification_id
    left join notification_services s on s.id = leased.service_id
    left join users u on u.id = s.created_by_id
    order by leased.next_attempt_at, leased.id`.execute(db);
  return rows.map(({ delivery, notification, service, sender }) => ({
    delivery,
    notification: present(notification, 'event'),
    service: present(service, 'id'),
    sender: present(sender, 'id'),
  }));
}

/** A row of an outer join, null if there was none. */
function present<Row extends object>(row: Nullable<Row>, key: keyof Row): Row | null {
  return row[key] === null ? null : (row as Row);
}
