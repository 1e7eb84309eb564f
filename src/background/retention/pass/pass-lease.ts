import { type Lease, readLeased, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import type { PassProgress, RetentionReport } from '../../../domain/retention/pass.js';
import type { Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type PassRow = Pick<Row<'retention_passes'>, 'progress' | 'report' | 'startedAt'>;

/** Longer than a round takes: after a crash the others wait this long. Two that delete at once do no harm. */
const lease: Lease<'retention_passes'> = { table: 'retention_passes', name: 'retention', ms: 15_000 };

/** Takes the pass for one holder, so that one process deletes at a time. Returns null while another holder has it. */
export const takePass = (installation: Installation, holder: string): Promise<PassRow | null> =>
  takeLease(installation, lease, holder);

/** Records how far the holder has come. Does nothing if another has taken over meanwhile. */
export const savePass = (
  installation: Installation,
  holder: string,
  values: { progress: PassProgress | null; report?: RetentionReport; startedAt?: Date },
): Promise<void> => saveLeased(installation, lease, holder, values);

/** Leaves the pass to others. */
export const releasePass = (installation: Installation, holder: string): Promise<void> =>
  releaseLease(installation, lease, holder);

/** What the last whole pass of any process deleted; null before the first has ended. */
export async function readReport(installation: Pick<Installation, 'db'>): Promise<RetentionReport | null> {
  return (await readLeased(installation, lease))?.report ?? null;
}
