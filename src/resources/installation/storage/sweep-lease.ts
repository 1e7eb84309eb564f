import { randomUUID } from 'node:crypto';
import { isEmbedded } from '../../../database/open.js';
import type { Services } from '../../../services/services.js';
import type { Row } from '../../../entities/database.js';
import type { SweepProgress, SweepReport } from '../../../domain/installation/stored-objects.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type SweepRow = Pick<Row<'storage_sweeps'>, 'progress' | 'report' | 'startedAt'>;

const name = 'objects';
/** Longer than a round takes: after a crash the others wait this long. */
const leaseMs = 10 * 60_000;

const thisProcess = `${randomUUID()}:`;

/** A name for who sweeps, which tells of what process it is. */
export const newHolder = (): string => `${thisProcess}${randomUUID()}`;

/** Takes the sweep for one holder, so that one process sweeps at a time. Returns null while another holder has it. */
export async function takeSweep({ db, clock }: Installation, holder: string): Promise<SweepRow | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const row = await db
    .updateTable('storage_sweeps')
    .set({ leasedBy: holder, leasedUntil: until })
    .where('name', '=', name)
    .where(({ eb, and, or }) =>
      or([
        eb('leasedUntil', 'is', null),
        eb('leasedUntil', '<', now),
        eb('leasedBy', '=', holder),
        // Taken by a clock that was set back since.
        eb('leasedUntil', '>', until),
        // The embedded database belongs to one process: one that had it before has ended in the middle of a round.
        ...(isEmbedded(db)
          ? [and([eb('leasedBy', 'like', '%:%'), eb('leasedBy', 'not like', `${thisProcess}%`)])]
          : []),
      ]),
    )
    .returning(['progress', 'report', 'startedAt'])
    .executeTakeFirst();
  return row ?? null;
}

/** Records how far the holder has come. Does nothing if another has taken over meanwhile. */
export async function saveSweep(
  { db }: Installation,
  holder: string,
  values: { progress: SweepProgress | null; report?: SweepReport; startedAt?: Date },
): Promise<void> {
  await db.updateTable('storage_sweeps').set(values).where('name', '=', name).where('leasedBy', '=', holder).execute();
}

/** Leaves the sweep to others. */
export async function releaseSweep({ db }: Installation, holder: string): Promise<void> {
  await db
    .updateTable('storage_sweeps')
    .set({ leasedBy: null, leasedUntil: null })
    .where('name', '=', name)
    .where('leasedBy', '=', holder)
    .execute();
}

/** What the last whole pass of any process found; null before the first has ended. */
export async function readSweepReport({ db }: Pick<Installation, 'db'>): Promise<SweepReport | null> {
  const row = await db.selectFrom('storage_sweeps').select('report').where('name', '=', name).executeTakeFirst();
  return row?.report ?? null;
}
