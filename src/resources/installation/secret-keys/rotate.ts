import { sql } from 'kysely';
import { nextTurn } from '../../../event-loop/turns.js';
import { seal, sealedPrefix, unseal } from '../../../auth/sealed.js';
import { keyId } from '../../../auth/secret-keys.js';
import type { Services } from '../../../services/services.js';
import { wrongState } from '../../../domain/problem.js';
import { inTransaction } from '../../../database/transaction.js';
import { type SealedColumn, sealedColumns } from './sealed-columns.js';
import { replaceValue, sealedValues } from './sealed-values.js';

const atOnce = 50;
/** Servers that still seal with the other key make new work while it is done. */
const passesAtMost = 10;
/** A server notes its key every 30 seconds ({@link noteKeyUse}): silent for this long, none uses it any more. */
const unusedSeconds = 90;

export interface Rotation {
  /** Number of re-encrypted values. */
  resealed: number;
  /** Values that open with none of the keys; they were left as they are. */
  unreadable: number;
  /** Whether the former key is no longer needed for anything sealed. */
  retired: boolean;
}

type Installation = Pick<Services, 'db' | 'secretKey'>;

/**
 * Re-encrypts all sealed values with the current key, in short transactions while servers run. If it is interrupted,
 * the next run continues. Afterwards servers need only the current key. Throws `wrong_state` while a server still seals
 * with another key; `alone` states that no server can be running.
 */
export async function rotateSecretKey(installation: Installation, { alone }: { alone: boolean }): Promise<Rotation> {
  if (!alone) await refuseWhileUsed(installation);
  const done: Rotation = { resealed: 0, unreadable: 0, retired: false };
  for (let pass = 1; pass <= passesAtMost; pass += 1) {
    const before = done.resealed;
    done.unreadable = 0;
    for (const column of sealedColumns) await resealColumn(installation, column, done);
    if (done.resealed === before) {
      await installation.db
        .deleteFrom('secret_keys')
        .where('id', '<>', keyId(installation.secretKey.current))
        .execute();
      return { ...done, retired: true };
    }
  }
  return done;
}

async function resealColumn({ db, secretKey }: Installation, column: SealedColumn, done: Rotation): Promise<void> {
  let after: readonly string[] | null = null;
  for (;;) {
    const from: readonly string[] | null = after;
    const batch = await inTransaction(db, 'secret-keys.rotate', async (trx) => {
      const values = await sealedValues(trx, column, {
        notBeginningWith: sealedPrefix(secretKey),
        after: from,
        limit: atOnce,
        lock: true,
      });
      let resealed = 0;
      for (const { key, value, boundTo } of values) {
        const text = unseal(secretKey, column.purpose, value, boundTo);
        if (text === null) continue;
        await replaceValue(trx, column, key, seal(secretKey, column.purpose, text, boundTo));
        resealed += 1;
      }
      return { last: values.at(-1)?.key ?? null, count: values.length, resealed };
    });
    done.resealed += batch.resealed;
    done.unreadable += batch.count - batch.resealed;
    if (batch.count < atOnce) return;
    after = batch.last;
    await nextTurn();
  }
}

async function refuseWhileUsed({ db, secretKey }: Installation): Promise<void> {
  const used = await db
    .selectFrom('secret_keys')
    .select('id')
    .where('id', '<>', keyId(secretKey.current))
    .where(sql<boolean>`used_at > now() - make_interval(secs => ${unusedSeconds})`)
    .executeTakeFirst();
  if (used)
    throw wrongState(
      `a server still seals with another key than SECRET_KEY: give every server the new key, then run ` +
        `this again ${unusedSeconds} seconds after the last one was restarted`,
    );
}

/** Records that a running server seals with its current key. */
export async function noteKeyUse({ db, secretKey }: Installation): Promise<void> {
  await sql`update secret_keys set used_at = now() where id = ${keyId(secretKey.current)}`.execute(db);
}
