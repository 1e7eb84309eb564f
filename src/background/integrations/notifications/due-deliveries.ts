import { sql } from 'kysely';
import type { SentEvent } from '../../../domain/integrations/notification-events.js';
import { rowAsColumns } from '../../../database/row-conversion.js';
import type { Db, NotificationDeliveryRow, NotificationServiceRow } from '../../../entities/database.js';

/** Lease of a delivery: its owner may have died. Longer than any request may take. */
const leaseMs = 60_000;
/** Due deliveries that are looked at for each one that may be taken, so that one receiver's do not hide all others. */
const seenPerTaken = 2;

type Nullable<Row> = { [Column in keyof Row]: Row[Column] | null };

/** A leased delivery with the rows that say how it is sent; its payload is read apart, once for all its deliveries. */
export interface DueDelivery {
  delivery: NotificationDeliveryRow;
  /** Null if it was deleted. */
  notification: { event: SentEvent; payloadBytes: number } | null;
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
  /**
   * Bytes of payloads that may be read for them. Where nothing is under way the first delivery is taken, however large.
   */
  bytes: number;
  /** Notifications whose payloads are in memory already, so that their deliveries cost nothing more. */
  loaded: string[];
  /** The claim that is stored with the leases. */
  claim: { id: string; processId: string };
  /** Takes one of these only, which were under way when a process died; without them all others. */
  suspects?: readonly string[];
}

/**
 * Leases due deliveries as far as there is room, the first of each receiver and subject; each counts as attempted from
 * here on. The sizes of payloads are asked for, not the payloads. One statement, with the rows that are needed: the
 * conditions are there twice because the first look is without locks. It has no name, as the plan of an empty queue
 * would take seconds for a full one.
 */
export async function leaseDueDeliveries(db: Db, now: Date, room: Room): Promise<DueDelivery[]> {
  const { perReceiver, busy, bytes, loaded, claim, suspects } = room;
  const most = suspects ? 1 : room.most;
  const which = suspects
    ? sql`d.id = any(${sql.val([...suspects])}::uuid[])`
    : sql`not exists (
          select from work_suspects s where s.task = 'notifications' and s.unit = d.id::text and s.set_aside_at is
            null)`;
  const until = new Date(now.getTime() + leaseMs);
  const { rows } = await sql<FoundDelivery>`
    with first as (
      select d.id, d.receiver, d.next_attempt_at from notification_deliveries d
      where d.state = 'pending' and d.next_attempt_at <=
        ${now} and (d.leased_until_at is null or d.leased_until_at <= ${now})
        and d.receiver <> all(${sql.val(busy)}::text[]) and ${which}
        and not exists (
          select from notification_deliveries earlier
          where earlier.state = 'pending' and earlier.receiver = d.receiver and earlier.order_key = d.order_key
            and (earlier.sequence, earlier.id) < (d.sequence, d.id))
      order by d.next_attempt_at, d.id limit ${most * seenPerTaken}
    ), ranked as (
      select id, row_number() over (partition by receiver order by next_attempt_at, id) as place from first
    ), due as (
      select d.id, d.notification_id, d.next_attempt_at
      from notification_deliveries d join ranked on ranked.id = d.id
      where ranked.place <= ${perReceiver} and d.state = 'pending' and d.next_attempt_at <= ${now}
        and (d.leased_until_at is null or d.leased_until_at <= ${now})
      order by d.next_attempt_at, d.id limit ${most} for update of d skip locked
    ), priced as (
      select due.id, due.next_attempt_at,
        case when due.notification_id = any(${sql.val(loaded)}::uuid[])
          or row_number() over (partition by due.notification_id order by due.next_attempt_at, due.id) > 1
          then 0 else coalesce(octet_length(n.payload), 0) end as bytes
      from due left join notifications n on n.id = due.notification_id
    ), costs as (
      select id, row_number() over in_order as place, sum(bytes) over in_order as total
      from priced window in_order as (order by next_attempt_at, id)
    ), leased as (
      update notification_deliveries d set leased_until_at = ${until}, attempts = d.attempts + 1, attempted_at = ${now}
      from costs where d.id = costs.id and (costs.total <= ${bytes} or (costs.place = 1 and ${loaded.length === 0}))
      returning d.*
    ), claimed as (
      insert into work_claims (id, process_id, task, units, seen_at)
      select ${claim.id}::uuid, ${claim.processId}::uuid, 'notifications', array_agg(id::text), clock_timestamp()
      from leased having count(*) > 0
    )
    select ${rowAsColumns('notification_deliveries', 'leased', 'delivery')},
      n.event as "notification.event", octet_length(n.payload) as "notification.payloadBytes",
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
