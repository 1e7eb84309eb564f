import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { newHolder, readLeased, releaseLease, saveLeased, takeLease } from '../../../core/lease.js';
import { isPassDue } from '../../../domain/installation/hourly-pass.js';
import type { Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import {
  newSweep,
  roundsAMinute,
  reportOf,
  type SweepProgress,
  type SweepReport,
} from '../../../domain/installation/stored-objects.js';
import { confirmStorage } from './claim-storage.js';
import { compareRows } from './compare-rows.js';
import { emptyQuarantine } from './empty-quarantine.js';
import { quarantineOrphans } from './quarantine-orphans.js';
import type { SweepServices } from './stored-object-kind.js';
import { storedObjectKinds as kinds } from './stored-object-kinds.js';
import { sweepLease } from './sweep-lease.js';

/** Time that the rounds of one minute may take, with their rests. */
const minuteMs = 45_000;
const longestRestMs = 2_000;

type SweepRow = Pick<Row<'storage_sweeps'>, 'progress' | 'startedAt'>;

export interface SweepOptions {
  /** Who sweeps: holders exclude each other between two rounds too, until the sweep is released. */
  holder: string;
  /** Begins a pass anew instead of going on where the last round of anybody ended. */
  anew?: boolean;
  /** Takes objects for this installation's that were stored before the storage was certainly its own. */
  unproven?: boolean;
}

/** Outcome of a round: `busy` while another process sweeps, `foreign` for a storage of another installation. */
export type SweepRound = 'busy' | 'foreign' | 'resting' | 'under way' | SweepReport;

/**
 * Compares the objects in storage with the rows that own them, a bounded part each minute, at most a pass an hour over
 * all replicas: a large storage has more rounds a minute, with rests of the same length, so that it is seen within a
 * day. Objects that no row owns, left by a process that died between storing and recording, are moved into
 * quarantine, and deleted when they have been there for days: only if they are certainly this installation's, and older
 * than any backup that may yet be restored. Rows without an object are counted and reported once a pass. Sets
 * `services.storageSweep` and `services.isStorageForeign`.
 */
export async function sweepWhenDue(services: Services, signal?: AbortSignal): Promise<SweepRound> {
  const holder = newHolder();
  const isDue = (row: SweepRow) => isPassDue(row, services.clock.now());
  try {
    const endsAt = performance.now() + minuteMs;
    let round = await sweepRound(services, { holder }, isDue);
    const rounds = round === 'under way' ? roundsAMinute(await storedObjects(services)) : 1;
    for (let count = 1, tookMs = 0; count < rounds && round === 'under way'; count += 1) {
      await sleep(Math.min(longestRestMs, tookMs), undefined, signal ? { signal } : {}).catch(() => undefined);
      if (signal?.aborted || performance.now() >= endsAt) break;
      const began = performance.now();
      round = await sweepRound(services, { holder }, isDue);
      tookMs = performance.now() - began;
    }
    if (round !== 'busy') services.isStorageForeign = round === 'foreign';
    services.storageSweep = (await readLeased(services, sweepLease))?.report ?? undefined;
    return round;
  } finally {
    await releaseLease(services, sweepLease, holder);
  }
}

/** About how many objects there are: rows that own one, as the planner knows them. */
async function storedObjects({ db }: Pick<Services, 'db'>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(greatest(reltuples, 0)), 0)::float8 as count from pg_class
    where oid in ('log_chunks'::regclass, 'artifacts'::regclass)`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Makes the next round of the pass under way, or the first one of a new pass. */
export async function sweepRound(
  services: SweepServices,
  options: SweepOptions,
  isDue: (row: SweepRow) => boolean = () => true,
): Promise<SweepRound> {
  const { holder } = options;
  const row = await takeLease(services, sweepLease, holder);
  if (row === null) return 'busy';
  const mark = await confirmStorage(services);
  if (!isDue(row)) return mark === null ? 'foreign' : 'resting';
  if (mark === null) {
    services.log.error({}, 'the storage is that of another installation: nothing of it is swept');
    await saveLeased(services, sweepLease, holder, { progress: null, startedAt: services.clock.now() });
    return 'foreign';
  }
  const isNew = row.progress === null || (options.anew ?? false);
  const progress = isNew || row.progress === null ? newSweep(kinds.map(({ name }) => name)) : row.progress;
  await advance(services, progress, options.unproven ? null : mark.ownedSince);
  const report = reportOf(progress);
  await saveLeased(services, sweepLease, holder, {
    progress: report === null ? progress : null,
    ...(report === null ? {} : { report }),
    ...(isNew ? { startedAt: services.clock.now() } : {}),
  });
  if (report === null) return 'under way';
  logReport(services, report, progress.examples);
  return report;
}

/** Takes the pass one round further. */
async function advance(services: SweepServices, progress: SweepProgress, ownedSince: Date | null): Promise<void> {
  await emptyQuarantine(services, kinds, progress);
  // What comes back from quarantine is not missing: rows are looked at afterwards.
  if (progress.quarantine !== null) return;
  await quarantineOrphans(services, kinds, progress, ownedSince);
  for (const kind of kinds) await compareRows(services, kind, progress);
}

function logReport({ log }: SweepServices, report: SweepReport, examples: readonly string[]): void {
  const { missing, quarantined, restored, deleted } = report;
  const rows = Object.values(missing).reduce((sum, count) => sum + count, 0);
  if (rows > 0) log.error({ rows, ...missing, examples }, 'stored bytes are missing');
  if (quarantined + restored + deleted > 0)
    log.info({ quarantined, restored, deleted }, 'stored bytes without a row were swept');
}
