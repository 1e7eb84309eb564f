import { sql } from 'kysely';
import { unseal } from '../../../auth/sealed.js';
import { acceptedKeys, keyId, type SecretKeys } from '../../../auth/secret-keys.js';
import { ConfigError } from '../../../services/config-error.js';
import type { Services } from '../../../services/services.js';
import { inTransaction } from '../../../database/transaction.js';
import type { Db } from '../../../entities/database.js';
import { sealedColumns } from './sealed-columns.js';
import { sealedValues } from './sealed-values.js';

type Installation = Pick<Services, 'db' | 'secretKey' | 'clock'>;

/**
 * Compares the secret keys of this process with those that sealed the database's values, and records a new key. Throws
 * `ConfigError` with the variable to set if one is missing: without it, webhooks would be unsigned and secrets
 * unreadable. Called at each start, by any number of replicas at once.
 */
export async function checkSecretKeys({ db, secretKey, clock }: Installation): Promise<void> {
  if (await isKnown(db, secretKey)) return;
  await inTransaction(db, 'secret-keys.check', async (trx) => {
    // One of several starting servers with different keys is the first; the others must see its key.
    await sql`lock table secret_keys in share row exclusive mode`.execute(trx);
    if (await isKnown(trx, secretKey)) return;
    const stored = await trx.selectFrom('secret_keys').select('id').execute();
    const used = stored.length > 0 ? [] : await keysOfValues(trx, secretKey);
    const ids = new Set([...used, secretKey.current].map(keyId));
    await trx
      .insertInto('secret_keys')
      .values([...ids].map((id) => ({ id, createdAt: clock.now() })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}

/** Whether the current key is recorded. Throws if a recorded key is not one of this process's keys. */
async function isKnown(db: Db, keys: SecretKeys): Promise<boolean> {
  const stored = await db.selectFrom('secret_keys').select('id').execute();
  const own = new Set(acceptedKeys(keys).map(keyId));
  if (stored.some(({ id }) => !own.has(id))) throw wrongKey(keys);
  return stored.some(({ id }) => id === keyId(keys.current));
}

/** Of a database that was used before keys were noted: the keys that a value of each column opens with. */
async function keysOfValues(trx: Db, keys: SecretKeys): Promise<string[]> {
  const used = new Set<string>();
  for (const column of sealedColumns) {
    const [sealed] = await sealedValues(trx, column, { notBeginningWith: '-', after: null, limit: 1, lock: false });
    if (!sealed) continue;
    const key = acceptedKeys(keys).find(
      (each) => unseal({ current: each, previous: null }, column.purpose, sealed.value, sealed.boundTo) !== null,
    );
    if (key === undefined) throw wrongKey(keys);
    used.add(key);
  }
  return [...used];
}

function wrongKey({ previous }: SecretKeys): ConfigError {
  const name =
    previous === null ? 'SECRET_KEY is not the key' : 'neither SECRET_KEY nor SECRET_KEY_PREVIOUS is the key';
  return new ConfigError(
    [
      `SECRET_KEY: ${name} that this database was sealed with: what is encrypted in it could not be read.`,
      '  Set SECRET_KEY to the key that was used so far (where none was set: restore the file secret-key in DATA_DIR).',
      '  To exchange the key, set SECRET_KEY_PREVIOUS to that one beside the new SECRET_KEY, then run: slipway ' +
        'secret-key rotate',
    ].join('\n'),
  );
}
