import { sql } from 'kysely';
import { nextTurn } from '../../../event-loop/turns.js';
import { recordOutcomes } from './record-outcomes.js';
import type { Db } from '../../../entities/database.js';
import { Activity } from '../../../services/activity.js';
import type { Services } from '../../../services/services.js';
import { recordFailures } from './broken-services.js';
import type { DeliveryResult } from './delivery-result.js';

// None of these statements has a name: the plan of an empty queue would be kept for a full one.

/** Stores results, except of deliveries that another process has taken over; gives those that were stored. */
async function store(db: Db, results: readonly DeliveryResult[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    update notification_deliveries d set
      state = r.state, leased_until_at = null, last_error = r.last_error,
      next_attempt_at = coalesce(r.next_attempt_at, d.next_attempt_at),
      delivered_at = r.delivered_at,
      response_status = case when r.attempted then r.response_status else d.response_status end,
      response_body = case when r.attempted then r.response_body else d.response_body end,
      request_body = case when r.attempted then r.request_body else d.request_body end,
      duration_ms = case when r.attempted then r.duration_ms else d.duration_ms end
    from json_to_recordset(${JSON.stringify(results)}::text::json) as r(id uuid, attempts int, state text,
      attempted boolean,
      response_status int, response_body text, request_body text, last_error text, duration_ms int,
      next_attempt_at timestamptz,
      delivered_at timestamptz)
    where d.id = r.id and d.attempts = r.attempts and d.state = 'pending'
    returning d.id`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * Makes deliveries that wait for receivers due at another time. Those under way are left out: their results say when
 * they are due. Rows are locked in order because replicas do it at once.
 */
async function moveWaiting(db: Db, now: Date, receivers: readonly string[], to: Date, which: 'later' | 'earlier') {
  const compared = which === 'later' ? sql`next_attempt_at > ${to}` : sql`next_attempt_at < ${to}`;
  await sql`
    update notification_deliveries set next_attempt_at = ${to} where id in (
      select id from notification_deliveries
      where state = 'pending' and ${compared} and receiver = any(${sql.val(receivers)}::text[])
        and (leased_until_at is null or leased_until_at <= ${now})
      order by id for update)`.execute(db);
}

/**
 * Stores the results of attempts, those that arrive while others are being stored together. A result that cannot be
 * stored is logged; its delivery is sent again once its lease has ended.
 */
export class DeliveryResults {
  private waiting: DeliveryResult[] = [];
  private storing: Promise<void> | null = null;

  constructor(private readonly services: Services) {}

  /** Resolves when the result was stored or could not be. */
  async add(result: DeliveryResult): Promise<void> {
    this.waiting.push(result);
    // The next batch, which takes all that wait by then, begins when the current one is stored.
    await this.storing;
    await (this.storing ??= this.storeAll());
  }

  private async storeAll(): Promise<void> {
    await nextTurn();
    const results = this.waiting;
    this.waiting = [];
    try {
      if (results.length > 0) await this.storeBatch(results);
    } catch (error) {
      const ids = results.map(({ id }) => id);
      this.services.log.error({ deliveryIds: ids, err: error }, 'results of deliveries could not be recorded');
    } finally {
      this.storing = null;
    }
  }

  private async storeBatch(results: readonly DeliveryResult[]): Promise<void> {
    const { db, clock } = this.services;
    const stored = await store(db, results);
    const { deliveries } = Activity.of(this.services);
    for (const { id, state } of results)
      if (stored.has(id)) deliveries.add('notification', state === 'pending' ? 'retried' : state);
    const now = clock.now();
    const ended = results.filter(({ id }) => stored.has(id));
    await recordOutcomes(db, now, ended);
    await recordFailures(this.services, ended);
    const answering = new Set(results.filter(({ state }) => state === 'delivered').map(({ receiver }) => receiver));
    // The receivers answer again: what waited for them is due.
    if (answering.size > 0) await moveWaiting(db, now, [...answering], now, 'later');
    const silent = new Map<string, Date>();
    for (const { id, receiver, next_attempt_at: next } of results)
      if (next && stored.has(id) && !answering.has(receiver)) silent.set(receiver, next);
    for (const [receiver, next] of silent) await moveWaiting(db, now, [receiver], next, 'earlier');
  }
}
