import type { Context } from '../../../request/context.js';

/** Ends the pause of a connection after refusals, and forgets these, because its credential is another or works. */
export async function resumeConnection({ db, now }: Context, connectionId: string): Promise<void> {
  await db
    .updateTable('provider_connection_states')
    .set({ failures: 0, pausedUntilAt: null })
    .where('connectionId', '=', connectionId)
    .execute();
  await db
    .updateTable('provider_connections')
    .set({ failingSinceAt: null })
    .where('id', '=', connectionId)
    .where('failingSinceAt', 'is not', null)
    .execute();
  await db
    .updateTable('commit_statuses')
    .set({ nextAttemptAt: now })
    .where('connectionId', '=', connectionId)
    .where('nextAttemptAt', '>', now)
    .execute();
}
