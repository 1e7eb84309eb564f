import { randomUUID } from 'node:crypto';
import type { Services } from '../../../services/services.js';
import { inTransaction } from '../../../database/transaction.js';

type Installation = Pick<Services, 'db' | 'clock'>;

const name = 'this';

/** The id of the installation that this database belongs to; the first caller of all replicas makes it. */
export async function installationId({ db, clock }: Installation): Promise<string> {
  const read = () =>
    db.selectFrom('installations').select('installationId').where('name', '=', name).executeTakeFirst();
  const row = await read();
  if (row) return row.installationId;
  await db
    .insertInto('installations')
    .values({ name, installationId: randomUUID(), createdAt: clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const id = await read();
  if (!id) throw new Error('the installation has no id');
  return id.installationId;
}

/** Counts the stamp on, to a value above the storage's. Returns the value that the database had, and the new one. */
export async function nextStamp({ db }: Installation, ofStorage: number): Promise<{ former: number; stamp: number }> {
  return inTransaction(db, 'storage.stamp', async (trx) => {
    const { storageStamp: former } = await trx
      .selectFrom('installations')
      .select('storageStamp')
      .where('name', '=', name)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const stamp = Math.max(former, ofStorage) + 1;
    await trx.updateTable('installations').set({ storageStamp: stamp }).where('name', '=', name).execute();
    return { former, stamp };
  });
}
