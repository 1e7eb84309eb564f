import { Gauge, type Registry } from 'prom-client';
import { inLane } from '../database/lanes.js';
import type { OpenDatabase } from '../database/open.js';
import { readCronLine } from '../domain/pipelines/cron/cron-line.js';
import { within } from '../http/within.js';
import { readEncryption } from '../resources/installation/backup/encryption.js';
import { type BackupTurn, readBackupTurn } from '../resources/installation/backup/backup-turns.js';
import { ConfigError } from '../services/config-error.js';
import type { ScheduledBackups, Services } from '../services/services.js';
import { openBackupPlace } from '../storage/open-storage.js';
import type { Config } from './config.js';
import { sharedFor } from './shared-for.js';

const stateLivesFor = 1_000;
const answersWithinMs = 2_000;

/** Opens what `BACKUP_…` configure; undefined if they configure nothing. Throws `ConfigError` for unusable keys. */
export async function openScheduledBackups(
  { backups, databaseUrl, dataDir }: Config,
  database: OpenDatabase,
  version: string,
): Promise<ScheduledBackups | undefined> {
  if (!backups) return undefined;
  const schedule = readCronLine(backups.schedule);
  if (!schedule.ok) throw new ConfigError(`BACKUP_SCHEDULE: ${schedule.message}`);
  const encryption =
    backups.encryptTo === undefined
      ? null
      : await readEncryption(backups.encryptTo).catch((error: unknown) => {
          throw new ConfigError(`BACKUP_ENCRYPT_TO: ${error instanceof Error ? error.message : String(error)}`);
        });
  return {
    line: schedule.line,
    place: openBackupPlace(backups.to, 'BACKUP_TO'),
    keep: backups.keep,
    encryption,
    database,
    version,
    spool: databaseUrl === undefined ? dataDir : null,
  };
}

/** What scheduled backups have come to, read at most every second; null where none are configured, or in trouble. */
export function scheduledBackupState(services: Services): () => Promise<BackupTurn | null> {
  const read = sharedFor(stateLivesFor, () => inLane('health', () => readBackupTurn(services)));
  return async () =>
    services.scheduledBackups
      ? within(read(), answersWithinMs).catch((error: unknown) => {
          services.log.warn({ err: error }, 'could not read what scheduled backups have come to');
          return null;
        })
      : null;
}

/** Gauges of the scheduled backups; without a value where the database does not say in time. */
export function scheduledBackupGauges(services: Services, registry: Registry): void {
  const state = scheduledBackupState(services);
  const gauge = (name: string, help: string, valueOf: (turn: BackupTurn) => number) =>
    new Gauge({
      name: `slipway_backup_${name}`,
      help,
      registers: [registry],
      async collect() {
        const turn = await state();
        this.reset();
        if (turn) this.set(valueOf(turn));
      },
    });
  gauge('failures', 'Scheduled backups that failed since the last one that was made', ({ failures }) => failures);
  gauge(
    'last_success_timestamp_seconds',
    'When the last scheduled backup was whole; 0 before the first',
    ({ succeededAt }) => (succeededAt?.getTime() ?? 0) / 1000,
  );
  gauge('last_bytes', 'Size of the last scheduled backup, as it is stored', ({ bytes }) => bytes ?? 0);
}
