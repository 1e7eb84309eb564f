import { hashToken } from '../../auth/secrets.js';
import type { Context } from '../../context.js';
import type { NewRow, Row } from '../../entities/database.js';
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
  /** The row that has this very token, wherever it is. */
  holder: (Row<T> & Revocable) | undefined;
  /** Whether the holder has the entry's owner. */
  owned: boolean;
}

/**
 * Brings a token about (rulings 13). The row that has the token is it, and stays revoked if it was revoked. Another
 * token in the file replaces the one of the oldest live row; where none is live, a new row is made.
 * @returns the row's id, or null where nothing more is to be done with it
 */
export async function applyToken<T extends TokenTable>(context: Context, ledger: Ledger, entry: TokenEntry<T>): Promise<string | null> {
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
