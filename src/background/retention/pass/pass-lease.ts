import type { PassProgress, RetentionReport } from '../../../domain/retention/pass.js';
import type { Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type PassRow = Pick<Row<'retention_passes'>, 'progress' | 'report' | 'startedAt'>;

const name = 'retention';
/** Longer than a round takes: after a crash the others wait this long. Two that delete at once do no harm. */
const leaseMs = 15_000;

/** Takes the pass for one holder, so that one process deletes at a time. Returns null while another holder has it. */
export async function takePass({ db, clock }: Installation, holder: string): Promise<PassRow | null> {
  const now = clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const row = await db
    .updateTable('retention_passes')
    .set({ leasedBy: holder, leasedUntil: until })
    .where('name', '=', name)
    .where(({ eb, or }) =>
      or([
        eb('leasedUntil', 'is', null),
        eb('leasedUntil', '<', now),
        eb('leasedBy', '=', holder),
        // Taken by a clock that was set back since.
        eb('leasedUntil', '>', until),
      ]),
    )
    .returning(['progress', 'report', 'startedAt'])
    .executeTakeFirst();
  return row ?? null;
}

/** Records how far the holder has come. Does nothing if another has taken over meanwhile. */
export async function savePass(
  { db }: Installation,
  holder: string,
  values: { progress: PassProgress | null; report?: RetentionReport; startedAt?: Date },
): Promise<void> {
  await db
    .updateTable('retention_passes')
    .set(values)
    .where('name', '=', name)
    .where('leasedBy', '=', holder)
    .execute();
}

/** Leaves the pass to others. */
export async function releasePass({ db }: Installation, holder: string): Promise<void> {
  await db
    .updateTable('retention_passes')
    .set({ leasedBy: null, leasedUntil: null })
    .where('name', '=', name)
    .where('leasedBy', '=', holder)
    .execute();
}

/** What the last whole pass of any process deleted; null before the first has ended. */
export async function readReport({ db }: Pick<Installation, 'db'>): Promise<RetentionReport | null> {
  const row = await db.selectFrom('retention_passes').select('report').where('name', '=', name).executeTakeFirst();
  return row?.report ?? null;
}
