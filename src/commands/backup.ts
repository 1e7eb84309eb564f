import { Command } from 'commander';
import type { Installation } from '../server/installation.js';
import type { Backup, BackupProgress } from '../resources/installation/backup/back-up.js';
import type { Encryption } from '../resources/installation/backup/encryption.js';
import { note, print } from './output.js';
import { readableBytes, reportProgress } from './report-progress.js';
import { WrongUsage } from './wrong-usage.js';

interface Options {
  to?: string;
  encryptTo?: string;
  json?: boolean;
}

/** `slipway backup`: the whole installation in one file or object. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Write the database and the bytes of logs and artifacts into one file, or into a bucket.')
    .argument('[file]', 'file to make; one that is there is not replaced')
    .option('--to <url>', 'in place of a file: s3://bucket/prefix (or file:FOLDER), where it gets a name by its time')
    .option('--encrypt-to <file>', 'encrypt to the public keys of age (age1…) in a file')
    .option('--json', 'print what the backup holds as JSON')
    .addHelpText(
      'after',
      '\nOn PostgreSQL servers go on meanwhile; with the embedded database stop the server first.' +
        '\nThe secret key is not in the file: keep SECRET_KEY, or DATA_DIR/secret-key, in another place.' +
        '\nSet BACKUP_TO for a server that makes backups by itself.',
    )
    .action(backup);
}

async function backup(file: string | undefined, options: Options): Promise<void> {
  if ((file === undefined) === (options.to === undefined))
    throw new WrongUsage('name a file to make, or a bucket with --to, and not both');
  const { withInstallation } = await import('./with-installation.js');
  const { readEncryption } = await import('../resources/installation/backup/encryption.js');
  const encryption = options.encryptTo === undefined ? null : await readEncryption(options.encryptTo);
  const {
    place,
    bytes: stored,
    summary,
  } = await withInstallation((installation) =>
    file === undefined
      ? writeToBucket(installation, options.to ?? '', encryption)
      : writeToFile(installation, file, encryption),
  );
  for (const text of warningsOf(summary)) await note(`warning: ${text}`);
  await note('the secret key is not in it, and what is encrypted with it cannot be read without: keep the key too');
  const { header, rows, count, bytes, missing, damaged } = summary;
  await print(
    options.json,
    {
      id: header.id,
      ...(file === undefined ? { object: place, stored_bytes: stored } : { file: place }),
      encrypted: encryption !== null,
      made_at: header.made_at,
      rows,
      objects: count,
      object_bytes: bytes,
      missing_objects: missing,
      damaged_objects: damaged,
    },
    `wrote ${rows} rows and ${count} objects (${readableBytes(bytes)}) to ${place}`,
  );
}

interface Written {
  /** File, or name in the bucket. */
  place: string;
  /** Bytes that were stored; null for a file. */
  bytes: number | null;
  summary: Backup;
}

async function writeToFile(installation: Installation, file: string, encryption: Encryption | null): Promise<Written> {
  const { writeBackupFile } = await import('../resources/installation/backup/backup-file.js');
  const summary = await writeBackupFile(file, await writerOf(installation), { encryption });
  return { place: file, bytes: null, summary };
}

async function writeToBucket(installation: Installation, url: string, encryption: Encryption | null): Promise<Written> {
  const { openBackupPlace } = await import('../storage/open-storage.js');
  const { backupName, storeBackup } = await import('../resources/installation/backup/stored-backup.js');
  const { installationId } = await import('../resources/installation/storage/installation-id.js');
  const { services } = installation;
  const name = backupName({
    installation: await installationId(services),
    madeAt: services.clock.now(),
    isEncrypted: encryption !== null,
    isScheduled: false,
  });
  const { result, bytes } = await storeBackup(openBackupPlace(url), name, await writerOf(installation), { encryption });
  return { place: name, bytes, summary: result };
}

async function writerOf(installation: Installation): Promise<(sink: NodeJS.WritableStream) => Promise<Backup>> {
  const { buildInfo } = await import('../server/build-info.js');
  const { backUp } = await import('../resources/installation/backup/back-up.js');
  const progress = reportProgress();
  return (sink) =>
    backUp(installation, sink as Parameters<typeof backUp>[1], {
      version: buildInfo().version,
      progress: (step) => progress(() => describe(step)),
    });
}

function describe(step: BackupProgress): string {
  return step.phase === 'rows'
    ? `rows of ${step.table}: ${step.rows}`
    : `objects: ${step.count} (${readableBytes(step.bytes)})`;
}

function* warningsOf({ missing, damaged, examples }: Backup): Generator<string> {
  if (missing > 0)
    yield `${missing} objects that rows name are not there: they were deleted since the backup began, or lost before`;
  if (damaged > 0) yield `${damaged} objects are not what their rows say, and are in the backup as they are`;
  if (examples.length > 0) yield `such as ${examples.slice(0, 3).join(', ')}; slipway check finds all that are lost`;
}
