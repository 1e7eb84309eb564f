import { type Lease, readLeased, releaseLease, renewLease, takeLease } from '../../../core/lease.js';
import type { Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type BackupTurn = Row<'scheduled_backups'>;

const lease: Lease<'scheduled_backups'> = { table: 'scheduled_backups', name: 'this', ms: 3 * 60_000 };
/** How often a process that makes a backup renews its lease. */
export const renewEveryMs = lease.ms / 3;

/** What the scheduled backups have come to; null before a server was the first to look. */
export const readBackupTurn = (installation: Pick<Installation, 'db'>): Promise<BackupTurn | null> =>
  readLeased(installation, lease);

/** The same; the first one who asks begins to count from now. */
export async function firstBackupTurn(installation: Installation): Promise<BackupTurn | null> {
  await installation.db
    .insertInto('scheduled_backups')
    .values({ name: lease.name, createdAt: installation.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return readBackupTurn(installation);
}

/**
 * Takes the turn to make a backup, if nobody has it and nobody began one since `turn` was read. Returns whether it was
 * taken.
 */
export async function takeBackupTurn(installation: Installation, turn: BackupTurn, holder: string): Promise<boolean> {
  const values = { startedAt: installation.clock.now() };
  return (await takeLease(installation, lease, holder, { values, startedAt: turn.startedAt })) !== null;
}

/** Renews the lease; false if another has taken over. */
export const keepBackupTurn = (installation: Installation, holder: string): Promise<boolean> =>
  renewLease(installation, lease, holder);

/** Records how an attempt ended, and leaves the turn to others. */
export const endBackupTurn = (
  installation: Pick<Installation, 'db'>,
  holder: string,
  outcome: Partial<Pick<BackupTurn, 'startedAt' | 'succeededAt' | 'object' | 'bytes' | 'failures' | 'lastError'>>,
): Promise<void> => releaseLease(installation, lease, holder, outcome);
