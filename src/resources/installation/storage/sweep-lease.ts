import { type Lease, readLeased, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import type { SweepProgress, SweepReport } from '../../../domain/installation/stored-objects.js';
import type { Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type SweepRow = Pick<Row<'storage_sweeps'>, 'progress' | 'report' | 'startedAt'>;

/** Longer than a round takes: after a crash the others wait this long. */
const lease: Lease<'storage_sweeps'> = { table: 'storage_sweeps', name: 'objects', ms: 10 * 60_000 };

/** Takes the sweep for one holder, so that one process sweeps at a time. Returns null while another holder has it. */
export const takeSweep = (installation: Installation, holder: string): Promise<SweepRow | null> =>
  takeLease(installation, lease, holder);

/** Records how far the holder has come. Does nothing if another has taken over meanwhile. */
export const saveSweep = (
  installation: Installation,
  holder: string,
  values: { progress: SweepProgress | null; report?: SweepReport; startedAt?: Date },
): Promise<void> => saveLeased(installation, lease, holder, values);

/** Leaves the sweep to others. */
export const releaseSweep = (installation: Installation, holder: string): Promise<void> =>
  releaseLease(installation, lease, holder);

/** What the last whole pass of any process found; null before the first has ended. */
export async function readSweepReport(installation: Pick<Installation, 'db'>): Promise<SweepReport | null> {
  return (await readLeased(installation, lease))?.report ?? null;
}
