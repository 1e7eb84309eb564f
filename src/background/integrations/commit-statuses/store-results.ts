import { sql } from 'kysely';
import type { Db } from '../../../entities/database.js';
import type { ConnectionResult, SentStatus } from './send-statuses.js';

/**
 * Stores what became of the statuses of one connection, in one statement. A status that changed meanwhile stays due.
 */
export async function storeStatuses(db: Db, sent: readonly SentStatus[]): Promise<void> {
  if (sent.length === 0) return;
  await sql`update commit_statuses c set leased_until_at = null,
      next_attempt_at = case when c.revision = t.revision then t.next_attempt_at else c.next_attempt_at end,
      last_error = case when c.revision = t.revision then t.error else c.last_error end,
      attempts = case when t.result = 'unsent' then greatest(c.attempts - 1, 0) else c.attempts end,
      sent_revision = case when t.result = 'sent' then t.revision else c.sent_revision end,
      check_run = coalesce(t.check_run::jsonb, c.check_run)
    from unnest(
      ${sent.map(({ status }) => status.buildId)}::uuid[], ${sent.map(({ status }) => status.context)}::text[],
      ${sent.map(({ status }) => status.revision)}::int[], ${sent.map(({ result }) => result)}::text[],
      ${sent.map(({ error }) => error)}::text[], ${sent.map(({ nextAttemptAt }) => nextAttemptAt)}::timestamptz[],
      ${sent.map(({ status }) => status.checkRun && JSON.stringify(status.checkRun))}::text[]
    ) as t(build_id, context, revision, result, error, next_attempt_at, check_run)
    where c.build_id = t.build_id and c.context = t.context`.execute(db);
}

/** Stores what a batch told about its connection. */
export async function storeConnection(db: Db, now: Date, result: ConnectionResult): Promise<void> {
  const { connectionId, failures, error, isFailing, succeeded, pausedUntilAt, rateLimit } = result;
  await db
    .updateTable('provider_connection_states')
    .set({ failures, pausedUntilAt })
    .where('connectionId', '=', connectionId)
    .execute();
  const isWorking = succeeded && !isFailing;
  await db
    .updateTable('provider_connections')
    .set((eb) => ({
      ...(rateLimit ? { rateLimit: { ...rateLimit, resetAt: rateLimit.resetAt.toISOString() } } : {}),
      ...(error === null ? {} : { lastError: error, lastErrorAt: now }),
      ...(isFailing ? { failingSinceAt: eb.fn.coalesce('failingSinceAt', sql<Date>`${now}::timestamptz`) } : {}),
      ...(isWorking ? { failingSinceAt: null } : {}),
      id: connectionId,
    }))
    .where('id', '=', connectionId)
    .$if(!rateLimit && error === null && !isFailing, (query) => query.where('failingSinceAt', 'is not', null))
    .execute();
}
