import { limits } from '../../../domain/limits/limits.js';
import { isUuid } from '../../../domain/node-id.js';
import { knownClients, type OauthClient } from '../../../domain/organizations/oauth/clients.js';
import type { Context } from '../../../request/context.js';

const day = 86_400_000;

/** The program with a `client_id`: a known one, or one that registered itself and is not forgotten yet. */
export async function findClient({ db, now }: Context, id: string): Promise<OauthClient | null> {
  const known = knownClients.find((client) => client.id === id);
  if (known || !isUuid(id)) return known ?? null;
  const row = await db
    .selectFrom('oauth_clients')
    .select(['id', 'name', 'redirectUris'])
    .where('id', '=', id)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row ? { ...row, isRegistered: true } : null;
}

/** Remembers a program for as long as people let it in now and then. */
export async function keepClient({ db, now }: Context, { id, isRegistered }: OauthClient): Promise<void> {
  if (!isRegistered) return;
  const expiresAt = new Date(now.getTime() + limits.oauthClientDays * day);
  await db.updateTable('oauth_clients').set({ expiresAt }).where('id', '=', id).execute();
}
