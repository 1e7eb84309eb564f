import { type RawBuilder, sql } from 'kysely';
import { limits } from '../../domain/limits/limits.js';
import type { Db, TableName } from '../../entities/database.js';
import type { Services } from '../../services/services.js';
import { rateLimitWindowMs } from '../../resources/installation/rate-limits/requests-in-window.js';
import { deleteSome } from '../deletions/delete-some.js';

const atOnce = 500;
/** Batches of one owner in one round: the rest waits for the next one. */
const batches = 100;
/** Counts of requests in windows that are long over, deleted at a time. */
const countsAtOnce = 10_000;

/** A table whose rows have large columns, of which each owner may have so many bytes as they are stored. */
export interface BoundedTable {
  table: TableName;
  owner: string;
  columns: readonly string[];
  most: number;
  /** Which rows may lose the columns. */
  removable: RawBuilder<unknown>;
  /**
   * Takes the columns, or the rows, away where that is still allowed: `rows` is a list of the system columns `ctid`.
   */
  forget(rows: RawBuilder<unknown>): RawBuilder<unknown>;
}

const isTrue = sql`true`;
const withoutPending = sql`not exists (select from notification_deliveries d where d.notification_id = t.id and
  d.state = 'pending')`;

export const boundedTables: readonly BoundedTable[] = [
  {
    table: 'notifications',
    owner: 'organization_id',
    columns: ['payload'],
    most: limits.notificationsKeptBytes,
    removable: withoutPending,
    forget: (rows) => sql`
      with doomed as materialized (select t.id from notifications t where t.ctid = any(${rows}) and ${withoutPending}),
        deliveries as (delete from notification_deliveries where notification_id in (select id from doomed))
      delete from notifications where id in (select id from doomed)`,
  },
  {
    table: 'webhook_deliveries',
    owner: 'organization_id',
    columns: ['payload'],
    most: limits.webhookPayloadsKeptBytes,
    removable: sql`t.processed_at is not null`,
    forget: (rows) =>
      sql`update webhook_deliveries set payload = null where ctid = any(${rows}) and processed_at is not null`,
  },
  {
    table: 'step_uploads',
    owner: 'organization_id',
    columns: ['definition'],
    most: limits.uploadsKeptBytes,
    removable: isTrue,
    forget: (rows) => sql`update step_uploads set definition = null where ctid = any(${rows})`,
  },
  {
    table: 'test_plans',
    owner: 'organization_id',
    columns: ['plan'],
    most: limits.testPlansKeptBytes,
    removable: isTrue,
    forget: (rows) => sql`delete from test_plans where ctid = any(${rows})`,
  },
  {
    table: 'idempotency_keys',
    owner: 'api_token_id',
    columns: ['result', 'reply_body'],
    most: limits.idempotencyKeptBytes,
    removable: isTrue,
    // The key stays, so that no repeat is carried out twice.
    forget: (rows) =>
      sql`update idempotency_keys set result = null, reply_status = null, reply_body = null where ctid = any(${rows})`,
  },
];

/** Bytes of a table with its indexes and long values, on disk. */
export async function tableBytes(db: Db, table: TableName): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_total_relation_size(${table}::regclass) as bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Takes the oldest large columns from owners who have more of them than they may, whatever their age, and deletes
 * counts of requests and points in windows that are over. Returns the number of rows.
 */
export async function boundTables(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  tables = boundedTables,
): Promise<number> {
  const over = new Date(clock.now().getTime() - 60 * rateLimitWindowMs);
  // Without an index: it would make each count of requests write two pages. The table has a row for each user and
  // organization.
  const tablesOfCounts = ['rate_limit_counts', 'graphql_point_counts'] as const;
  let changed = await deleteSome(
    db,
    tablesOfCounts.map((table) => ({ table, where: sql`window_start < ${over}` })),
    countsAtOnce,
  );
  for (const bounded of tables) changed += await boundTable(db, bounded);
  return changed;
}

async function boundTable(db: Db, bounded: BoundedTable): Promise<number> {
  const { table, owner, columns, most } = bounded;
  // No owner has more than the whole table, whose size costs nothing to ask for.
  if ((await tableBytes(db, table)) <= most) return 0;
  const size = sizeOf(columns);
  const { rows } = await sql<{ owner: string; bytes: string }>`
    select ${sql.ref(owner)} as owner, sum(${size}) as bytes from ${sql.table(table)} t
    group by 1 having sum(${size}) > ${most}::bigint limit 100`.execute(db);
  let changed = 0;
  for (const each of rows) changed += await forgetOldest(db, bounded, each.owner, Number(each.bytes) - most);
  return changed;
}

/** Values as they are stored: long ones are not read for that. */
const sizeOf = (columns: readonly string[]) =>
  sql`(${sql.join(
    columns.map((name) => sql`coalesce(pg_column_size(${sql.ref(`t.${name}`)}), 0)`),
    sql` + `,
  )})`;

async function forgetOldest(db: Db, bounded: BoundedTable, owner: string, excess: number): Promise<number> {
  const { table, columns, removable } = bounded;
  const present = sql.join(
    columns.map((name) => sql`${sql.ref(`t.${name}`)} is not null`),
    sql` or `,
  );
  let changed = 0;
  for (let batch = 0, left = excess; batch < batches && left > 0; batch += 1) {
    const { rows } = await sql<{ place: string; size: string }>`
      select t.ctid::text as place, ${sizeOf(columns)} as size from ${sql.table(table)} t
      where ${sql.ref(`t.${bounded.owner}`)} = ${owner} and (${present}) and ${removable}
      order by t.created_at limit ${atOnce}`.execute(db);
    const doomed: string[] = [];
    for (const { place, size } of rows) {
      if (left <= 0) break;
      doomed.push(place);
      left -= Number(size);
    }
    if (doomed.length === 0) break;
    // A row that has changed meanwhile is elsewhere, and waits for the next round.
    await bounded.forget(sql`${doomed}::tid[]`).execute(db);
    changed += doomed.length;
  }
  return changed;
}
