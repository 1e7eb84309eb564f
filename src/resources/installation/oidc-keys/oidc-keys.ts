import { seal, unsealOwn } from '../../../auth/sealed.js';
import { type NewSigningKey, newSigningKey, signToken } from '../../../auth/signing-key.js';
import { outsideTransaction } from '../../../database/transaction.js';
import { isKeyDue, retiredKeys, signingKeyOf } from '../../../domain/oidc/key-rotation.js';
import type { Db, OidcKeyRow } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

const purpose = 'oidc-key';

/** Every published key, oldest first. There are two or three at most. */
export function oidcKeys(db: Db): Promise<OidcKeyRow[]> {
  return db.selectFrom('oidc_keys').selectAll().orderBy('sequence').execute();
}

interface Issuer {
  db: Db;
  now: Date;
  services: Pick<Services, 'secretKey'>;
}

/** Signs a token with the key that signs now; makes the first key of the installation. */
export async function signWithOidcKey(
  { db, now, services }: Issuer,
  payload: Parameters<typeof signToken>[1],
): Promise<{ token: string; keyId: string }> {
  let key = signingKeyOf(await oidcKeys(db), now);
  if (key === null) {
    await insertKey({ db, now, services }, 1, await outsideTransaction('oidc.first-key', newSigningKey));
    key = signingKeyOf(await oidcKeys(db), now);
  }
  if (key === null) throw new Error('the first key of the installation was not stored');
  const privateKey = unsealOwn(services.secretKey, purpose, key.sealedPrivateKey, key.id);
  return { token: await signToken({ id: key.id, privateKey }, payload), keyId: key.id };
}

/**
 * Makes the next key when it is due, and deletes keys that no valid token names. `agesCount`: whether the clock is
 * trusted; otherwise only a missing first key is made.
 */
export async function rotateOidcKeys(
  { db, clock, secretKey }: Services,
  { agesCount }: { agesCount: boolean },
): Promise<void> {
  const now = clock.now();
  const keys = await oidcKeys(db);
  if (keys.length === 0 || (agesCount && isKeyDue(keys, now)))
    await insertKey({ db, now, services: { secretKey } }, (keys.at(-1)?.sequence ?? 0) + 1, await newSigningKey());
  const retired = agesCount ? retiredKeys(keys, now) : [];
  if (retired.length > 0)
    await db
      .deleteFrom('oidc_keys')
      .where(
        'id',
        'in',
        retired.map(({ id }) => id),
      )
      .execute();
}

/** Another replica may have made the same key: then that one counts. */
async function insertKey({ db, now, services }: Issuer, sequence: number, key: NewSigningKey): Promise<void> {
  await db
    .insertInto('oidc_keys')
    .values({
      id: key.id,
      sequence,
      publicJwk: key.publicJwk,
      sealedPrivateKey: seal(services.secretKey, purpose, key.privateKey, key.id),
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('sequence').doNothing())
    .execute();
}
