import { hashToken } from '../../../auth/secrets.js';
import type { Context } from '../../../request/context.js';
import type { NewRow, Row } from '../../../entities/database.js';
import type { Ledger } from './ledger.js';
import { type Entry, reconcile } from './reconcile.js';

type TokenTable = 'agent_tokens' | 'api_tokens';

interface Revocable {
  revokedAt: Date | null;
}

export interface TokenEntry<T extends TokenTable> extends Omit<Entry<T>, 'existing' | 'id'> {
  token: string;
  /** Rows with the entry's owner and description, oldest first. */
  rows: (Row<T> & Revocable)[];
  /** The row with this token, in any organization. */
  holder: (Row<T> & Revocable) | undefined;
  /** Whether the holder has the entry's owner. */
  owned: boolean;
}

/**
 * Applies a planned token. The row with the token's hash is reused, and stays revoked if it was revoked. A different
 * token in the file replaces that of the oldest row in use; without such a row a new one is created. Returns the row's
 * id, or null if nothing else must be done with it.
 */
export async function applyToken<T extends TokenTable>(
  context: Context,
  ledger: Ledger,
  entry: TokenEntry<T>,
): Promise<string | null> {
  const { holder, rows, token } = entry;
  if (holder && !entry.owned) {
    ledger.refuse(`${entry.path}.token`, 'token is in use for something else: every token is good for one thing');
    return null;
  }
  if (holder?.revokedAt) {
    ledger.keep(entry.kind, entry.name, 'revoked');
    return null;
  }
  const existing = holder ?? rows.find((row) => !row.revokedAt);
  const values: Partial<NewRow<T>> = { ...entry.values, tokenHash: hashToken(token) };
  return reconcile(context, ledger, { ...entry, existing, values, called: { tokenHash: 'token', ...entry.called } });
}
