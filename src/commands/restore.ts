import { Command } from 'commander';
import type { RestoreProgress } from '../resources/installation/backup/restore.js';
import type { OpenBackup } from '../resources/installation/backup/verify.js';
import { note, print } from './output.js';
import { readableBytes, reportProgress } from './report-progress.js';

interface RestoreOptions {
  json?: boolean;
  verify?: boolean;
  sendPending?: boolean;
  identity?: string;
}

/** `slipway restore`: an installation out of the file of a backup. */
export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restore a backup into an empty database and an empty storage.')
    .argument('<file>', 'file that slipway backup made, or s3://bucket/prefix/NAME')
    .option('--identity <file>', 'private keys of age (AGE-SECRET-KEY-1…) that decrypt it')
    .option('--verify', 'only read the file and compare it with its checksums')
    .option('--send-pending', 'send notifications and commit statuses that waited when the backup was made')
    .option('--json', 'print what was restored as JSON')
    .addHelpText(
      'after',
      '\nNeeds the secret key of the installation that was backed up: SECRET_KEY, or the file secret-key in DATA_DIR.' +
        '\nReads the file whole before anything is changed. An interrupted restore can be started again.',
    )
    .action(restore);
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { readHeader, verifyBackup } = await import('../resources/installation/backup/verify.js');
  const open = await openBackup(file, options.identity);
  const header = await readHeader(open);
  const report = reportProgress();
  if (options.verify) {
    const { manifest } = await verifyBackup(open, (bytes) => report(() => describe({ phase: 'verify', bytes })));
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
    return print(
      options.json,
      { id: header.id, made_at: header.made_at, rows, objects: manifest.objects.count },
      `the backup of ${header.made_at} is whole: ${rows} rows, ${manifest.objects.count} objects`,
    );
  }
  const { withRestoreTarget } = await import('./with-restore-target.js');
  const { restoreBackup } = await import('../resources/installation/backup/restore.js');
  const restored = await withRestoreTarget(header, (target) =>
    restoreBackup(open, target, {
      sendsPending: options.sendPending ?? false,
      progress: (step) => report(() => describe(step)),
    }),
  );
  const { rows, objects, missing, pending, migrated } = restored;
  if (missing > 0) await note(`warning: ${missing} objects were deleted while the backup was made, and are not in it`);
  if (pending.notifications + pending.commitStatuses > 0)
    await note(
      `${pending.notifications} notifications and ${pending.commitStatuses} commit statuses waited when the backup ` +
        'was made: they are not sent, because they may have been since. Redeliver them in the console, or restore ' +
        'with --send-pending',
    );
  await print(
    options.json,
    {
      id: header.id,
      made_at: header.made_at,
      rows,
      objects,
      missing_objects: missing,
      held_notifications: pending.notifications,
      held_commit_statuses: pending.commitStatuses,
      migrated,
    },
    `restored ${rows} rows and ${objects} objects of ${header.made_at}`,
  );
}

async function openBackup(file: string, identity: string | undefined): Promise<OpenBackup> {
  const { decrypted, readDecryption } = await import('../resources/installation/backup/encryption.js');
  const decryption = identity === undefined ? null : await readDecryption(identity);
  if (!/^(s3|file):/.test(file)) {
    const { backupFile } = await import('../resources/installation/backup/backup-file.js');
    return decrypted(backupFile(file), decryption);
  }
  const { openBackupUrl } = await import('../storage/open-storage.js');
  const { storedBackup } = await import('../resources/installation/backup/stored-backup.js');
  const { place, name } = openBackupUrl(file);
  return decrypted(storedBackup(place, name), decryption);
}

function describe(step: RestoreProgress): string {
  switch (step.phase) {
    case 'verify':
      return `verified ${readableBytes(step.bytes)}`;
    case 'objects':
      return `restored ${step.count} objects`;
    case 'rows':
      return `restoring rows of ${step.table}`;
  }
}
