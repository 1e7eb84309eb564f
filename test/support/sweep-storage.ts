import { randomUUID } from 'node:crypto';
import type { SweepReport } from '../../src/domain/installation/stored-objects.js';
import type { SweepServices } from '../../src/resources/installation/storage/stored-object-kind.js';
import { releaseSweep } from '../../src/resources/installation/storage/sweep-lease.js';
import { sweepRound } from '../../src/resources/installation/storage/sweep-storage.js';

/** Makes a whole pass over the storage, now. Throws if it does not end. */
export async function sweepWholeStorage(services: SweepServices): Promise<SweepReport> {
  const holder = randomUUID();
  for (let rounds = 0; rounds < 1000; rounds += 1) {
    const round = await sweepRound(services, { holder, anew: rounds === 0 });
    if (typeof round === 'object') {
      await releaseSweep(services, holder);
      return round;
    }
    if (round !== 'under way') throw new Error(`the sweep is ${round}`);
  }
  throw new Error('the sweep does not end');
}
