import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import { refill, statusPace } from '../../../domain/integrations/status-pace.js';
import type { Db, ProviderConnectionRow, Row } from '../../../entities/database.js';

type StateRow = Row<'provider_connection_states'>;
export type StatusRow = Row<'commit_statuses'>;

/** Connections that are served in one round, and statuses of each. */
const connectionsAtOnce = 10;
const statusesAtOnce = 30;
const leaseMs = 60_000;

/** Statuses to send over one connection now. */
export interface StatusBatch {
  connection: ProviderConnectionRow;
  /** Refusals of the connection in a row, before this batch. */
  failures: number;
  statuses: StatusRow[];
}

export interface TakenStatuses {
  batches: StatusBatch[];
  /** Whether anything was taken, or found to be superseded. */
  any: boolean;
}

/**
 * Takes due statuses of connections that may send, as many as the pace of each allows, whole builds before steps. A
 * status of an older build gives way to that of a newer one of the same commit and context. Locks the states of the
 * connections, so that all replicas together keep the pace.
 */
export async function takeStatuses({ db, now }: Context): Promise<TakenStatuses> {
  const due = sql<boolean>`exists (select from commit_statuses c where c.connection_id = s.connection_id
    and c.next_attempt_at <= ${now} and (c.leased_until_at is null or c.leased_until_at <= ${now}))`;
  const states = await db
    .selectFrom('provider_connection_states as s')
    .selectAll('s')
    .where((eb) => eb.or([eb('s.pausedUntilAt', 'is', null), eb('s.pausedUntilAt', '<=', now)]))
    .where(due)
    .orderBy('s.refilledAt')
    .limit(connectionsAtOnce)
    .forUpdate()
    .skipLocked()
    .execute();
  if (states.length === 0) return { batches: [], any: false };
  const connections = await db
    .selectFrom('provider_connections')
    .selectAll()
    .where(
      'id',
      'in',
      states.map(({ connectionId }) => connectionId),
    )
    .execute();
  const batches: StatusBatch[] = [];
  let any = false;
  for (const state of states) {
    const connection = connections.find(({ id }) => id === state.connectionId);
    if (!connection) continue;
    const { statuses, superseded } = await takeOfConnection(db, now, connection, state);
    any ||= superseded > 0 || statuses.length > 0;
    if (statuses.length > 0) batches.push({ connection, failures: state.failures, statuses });
  }
  return { batches, any };
}

async function takeOfConnection(db: Db, now: Date, { id, provider }: ProviderConnectionRow, state: StateRow) {
  const allowance = refill(statusPace(provider), state.allowance, state.refilledAt, now);
  const limit = Math.min(statusesAtOnce, Math.floor(allowance));
  // Rows that are superseded cost no request: they go even where none may be sent.
  const rows = await db
    .selectFrom('commit_statuses as c')
    .selectAll('c')
    .select(
      sql<string | null>`(select n.build_id from commit_statuses n where n.connection_id = c.connection_id
        and n.commit = c.commit and n.context = c.context and n.repository = c.repository and n.build_id > c.build_id
        order by n.build_id desc limit 1)`.as('newerBuildId'),
    )
    .where('c.connectionId', '=', id)
    .where('c.nextAttemptAt', '<=', now)
    .where((eb) => eb.or([eb('c.leasedUntilAt', 'is', null), eb('c.leasedUntilAt', '<=', now)]))
    .orderBy('c.ofStep')
    .orderBy('c.nextAttemptAt')
    .limit(statusesAtOnce)
    .forUpdate('c')
    .skipLocked()
    .execute();
  const superseded = rows.filter(({ newerBuildId }) => newerBuildId !== null);
  const statuses = rows.filter(({ newerBuildId }) => newerBuildId === null).slice(0, limit);
  await update(
    db,
    superseded.map(({ newerBuildId, ...row }) => ({ ...row, supersededById: newerBuildId })),
    sql`next_attempt_at = null, last_error = null, superseded_by_id = t.value::uuid`,
  );
  await update(db, statuses, sql`leased_until_at = ${new Date(now.getTime() + leaseMs)}, attempts = c.attempts + 1`);
  if (statuses.length > 0)
    await db
      .updateTable('provider_connection_states')
      .set({ allowance: allowance - statuses.length, refilledAt: now })
      .where('connectionId', '=', id)
      .execute();
  return {
    statuses: statuses.map(({ newerBuildId: _, ...row }) => ({ ...row, attempts: row.attempts + 1 })),
    superseded: superseded.length,
  };
}

async function update(db: Db, rows: readonly StatusRow[], change: ReturnType<typeof sql>): Promise<void> {
  if (rows.length === 0) return;
  await sql`update commit_statuses c set ${change} from unnest(
    ${rows.map(({ buildId }) => buildId)}::uuid[], ${rows.map(({ context }) => context)}::text[],
    ${rows.map(({ supersededById }) => supersededById)}::text[]
  ) as t(build_id, context, value) where c.build_id = t.build_id and c.context = t.context`.execute(db);
}
