import { randomUUID } from 'node:crypto';
import { releaseLease } from '../../src/core/lease.js';
import type { SweepReport } from '../../src/domain/installation/stored-objects.js';
import type { SweepServices } from '../../src/resources/installation/storage/stored-object-kind.js';
import { sweepLease } from '../../src/resources/installation/storage/sweep-lease.js';
import { sweepRound } from '../../src/resources/installation/storage/sweep-storage.js';

/**
 * Makes a whole pass over the storage, now, even in a database that a test before has emptied. Throws if it does not
 * end.
 */
export async function sweepWholeStorage(services: SweepServices): Promise<SweepReport> {
  const holder = randomUUID();
  await services.db
    .insertInto('storage_sweeps')
    .values({ name: 'objects' })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ leasedBy: null, leasedUntil: null }))
    .execute();
  for (let rounds = 0; rounds < 1000; rounds += 1) {
    const round = await sweepRound(services, { holder, anew: rounds === 0 });
    if (typeof round === 'object') {
      await releaseLease(services, sweepLease, holder);
      return round;
    }
    if (round !== 'under way') throw new Error(`the sweep is ${round}`);
  }
  throw new Error('the sweep does not end');
}
