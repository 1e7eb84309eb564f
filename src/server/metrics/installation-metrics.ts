import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { inLane } from '../../database/lanes.js';
import { within } from '../../http/within.js';
import type { deliveryKinds } from '../../services/activity.js';
import type { Services } from '../../services/services.js';
import { sharedFor } from '../shared-for.js';

const lagsLiveFor = 5_000;
const sizeLivesFor = 60_000;
const readWithinMs = 2_000;

type Lags = { outbox: number } & Record<(typeof deliveryKinds)[number], number>;

/** Gauges of how late effects outside the database are: by how much the oldest one that is due is overdue. */
export function lagMetrics(services: Services, registry: Registry): void {
  const { db, clock, log } = services;
  const read = sharedFor(lagsLiveFor, () => inLane('background', () => readLags(db, clock.now())));
  const lags = sharedFor(0, () => orNull(log, 'could not ask for what is overdue', read));
  new Gauge({
    name: 'slipway_outbox_lag_seconds',
    help: 'Seconds for which the oldest message of the outbox that is due has waited',
    registers: [registry],
    async collect() {
      const seconds = (await lags())?.outbox;
      if (seconds === undefined) this.remove();
      else this.set(seconds);
    },
  });
  new Gauge({
    name: 'slipway_delivery_lag_seconds',
    help: 'Seconds for which the oldest delivery that is due has waited; one that is tried again later is not due',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const { outbox: _, ...kinds } = (await lags()) ?? { outbox: 0 };
      this.reset();
      for (const [kind, seconds] of Object.entries(kinds)) this.set({ kind }, seconds);
    },
  });
}

/** Work that is set aside waits for its operator, and is left out here: it has a gauge of its own. */
async function readLags(db: Services['db'], now: Date): Promise<Lags> {
  const since = (time: ReturnType<typeof sql>) =>
    sql`coalesce(extract(epoch from ${now}::timestamptz - (${time})), 0)::float8`;
  const setAside = (task: string, unit: ReturnType<typeof sql>) =>
    sql`not exists (select from work_suspects s where s.task = ${task} and s.unit = ${unit})`;
  const { rows } = await sql<Lags>`
    select ${since(sql`select available_at from outbox_messages m where failed_at is null and available_at <= ${now}
        and ${setAside('outbox', sql`m.id::text`)} order by available_at limit 1`)} as outbox,
      ${since(sql`select next_attempt_at from notification_deliveries d where state = 'pending'
        and next_attempt_at <= ${now} and (leased_until_at is null or leased_until_at <= ${now})
        and ${setAside('notifications', sql`d.id::text`)} order by next_attempt_at limit 1`)} as notification,
      ${since(sql`select next_attempt_at from commit_statuses c where next_attempt_at <= ${now}
        and ${setAside('commit-statuses', sql`c.build_id || ' ' || c.context`)}
        order by next_attempt_at limit 1`)} as commit_status`.execute(db);
  const [row] = rows as unknown as (Omit<Lags, 'commit_status'> & { commitStatus: number })[];
  if (!row) throw new Error('the database gave no row');
  return { outbox: row.outbox, notification: row.notification, commit_status: row.commitStatus };
}

/**
 * Gauges of bytes: of stored objects as the last whole sweep saw them, of the database, and those that are free.
 *
 * @param disk the directory that objects are stored in, or else that of the embedded database; null without either
 */
export function storageMetrics(services: Services, registry: Registry, disk: string | null): void {
  const { db, log } = services;
  const read = sharedFor(sizeLivesFor, () =>
    inLane('background', async () => {
      const { rows } = await sql<{ bytes: number }>`
        select pg_database_size(current_database())::float8 as bytes`.execute(db);
      return rows[0]?.bytes;
    }),
  );
  new Gauge({
    name: 'slipway_storage_bytes',
    help: 'Bytes of stored objects by kind, as of the last whole sweep of the storage, and of the database now',
    labelNames: ['kind'],
    registers: [registry],
    async collect() {
      const database = await orNull(log, 'could not ask for the size of the database', read);
      this.reset();
      for (const [kind, bytes] of Object.entries(services.storageSweep?.bytes ?? {})) this.set({ kind }, bytes);
      if (typeof database === 'number') this.set({ kind: 'database' }, database);
    },
  });
  if (disk === null) return;
  new Gauge({
    name: 'slipway_disk_free_bytes',
    help: 'Bytes that are free on the disk of the storage, or else of the embedded database',
    registers: [registry],
    async collect() {
      // Before the first object its directory may not be there.
      const space = await statfs(disk).catch(() => statfs(dirname(disk)).catch(() => null));
      if (space) this.set(space.bavail * space.bsize);
      else this.remove();
    },
  });
}

async function orNull<T>(log: Services['log'], problem: string, read: () => Promise<T>): Promise<T | null> {
  return within(read(), readWithinMs).catch((error: unknown) => {
    log.warn({ err: error }, `metrics: ${problem}`);
    return null;
  });
}
