import type { Services } from '../../../services/services.js';
import type { Row } from '../../../entities/database.js';

type Installation = Pick<Services, 'db' | 'clock'>;
export type BackupTurn = Row<'scheduled_backups'>;

const name = 'this';
/** A process that makes a backup renews its lease three times as often. */
export const leaseMs = 3 * 60_000;

/** What the scheduled backups have come to; null before a server was the first to look. */
export async function readBackupTurn({ db }: Pick<Installation, 'db'>): Promise<BackupTurn | null> {
  return (await db.selectFrom('scheduled_backups').selectAll().where('name', '=', name).executeTakeFirst()) ?? null;
}

/** The same; the first one who asks begins to count from now. */
export async function firstBackupTurn(installation: Installation): Promise<BackupTurn | null> {
  await installation.db
    .insertInto('scheduled_backups')
    .values({ name, createdAt: installation.clock.now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return readBackupTurn(installation);
}

/**
 * Takes the turn to make a backup, if nobody has it and nobody began one since `turn` was read. Returns whether it was
 * taken.
 */
export async function takeBackupTurn({ db, clock }: Installation, turn: BackupTurn, holder: string): Promise<boolean> {
  const now = clock.now();
  const until = new Date(now.getTime() + leaseMs);
  const { numUpdatedRows } = await db
    .updateTable('scheduled_backups')
    .set({ leasedBy: holder, leasedUntil: until, startedAt: now })
    .where('name', '=', name)
    .where((eb) => eb('startedAt', 'is not distinct from', turn.startedAt))
    .where(({ eb, or }) =>
      // The last: taken by a clock that was set back since.
      or([eb('leasedUntil', 'is', null), eb('leasedUntil', '<', now), eb('leasedUntil', '>', until)]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renews the lease; false if another has taken over. */
export async function keepBackupTurn({ db, clock }: Installation, holder: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scheduled_backups')
    .set({ leasedUntil: new Date(clock.now().getTime() + leaseMs) })
    .where('name', '=', name)
    .where('leasedBy', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Records how an attempt ended, and leaves the turn to others. */
export async function endBackupTurn(
  { db }: Pick<Installation, 'db'>,
  holder: string,
  outcome: Partial<Pick<BackupTurn, 'startedAt' | 'succeededAt' | 'object' | 'bytes' | 'failures' | 'lastError'>>,
): Promise<void> {
  await db
    .updateTable('scheduled_backups')
    .set({ ...outcome, leasedBy: null, leasedUntil: null })
    .where('name', '=', name)
    .where('leasedBy', '=', holder)
    .execute();
}
