import { Command } from 'commander';
import type { Writable } from 'node:stream';
import type { BackupProgress } from '../resources/installation/backup/back-up.js';
import type { Encryption } from '../resources/installation/backup/encryption.js';
import type { ServerBackup } from './backup-of-server.js';
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
      '\nServers go on meanwhile. With the embedded database the running server makes the backup, in DATA_DIR first.' +
        '\nThe secret key is not in the file: keep SECRET_KEY, or DATA_DIR/secret-key, in another place.' +
        '\nSet BACKUP_TO for a server that makes backups by itself.',
    )
    .action(backup);
}

async function backup(file: string | undefined, options: Options): Promise<void> {
  if ((file === undefined) === (options.to === undefined))
    throw new WrongUsage('name a file to make, or a bucket with --to, and not both');
  const { readEncryption } = await import('../resources/installation/backup/encryption.js');
  const encryption = options.encryptTo === undefined ? null : await readEncryption(options.encryptTo);
  const {
    place,
    bytes: stored,
    summary,
  } = await withWriter((source) =>
    file === undefined ? writeToBucket(source, options.to ?? '', encryption) : writeToFile(source, file, encryption),
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
  summary: ServerBackup;
}

/** Where a backup comes from: the database itself, or the running server that holds it. */
interface Source {
  /** The installation's id, for the name of a backup. */
  installation: string;
  madeAt: Date;
  write: (sink: Writable) => Promise<ServerBackup>;
}

/**
 * Has a backup written from the configured database, or where a running server holds the embedded one, by that server.
 */
async function withWriter(work: (source: Source) => Promise<Written>): Promise<Written> {
  const { withInstallation } = await import('./with-installation.js');
  const { DirectoryInUseError } = await import('../database/directory-lock.js');
  const progress = reportProgress();
  const report = (step: BackupProgress) => progress(() => describe(step));
  try {
    return await withInstallation(async (installation) => {
      const { buildInfo } = await import('../server/build-info.js');
      const { backUp } = await import('../resources/installation/backup/back-up.js');
      const { installationId } = await import('../resources/installation/storage/installation-id.js');
      return work({
        installation: await installationId(installation.services),
        madeAt: installation.services.clock.now(),
        write: (sink) => backUp(installation, sink, { version: buildInfo().version, progress: report }),
      });
    });
  } catch (error) {
    if (!(error instanceof DirectoryInUseError)) throw error;
    const { readConfigurationOfCommand } = await import('./read-configuration.js');
    const { askServer } = await import('./backup-of-server.js');
    const server = await askServer((await readConfigurationOfCommand()).dataDir);
    if (!server) throw error;
    await note('a server has the database open: it makes the backup');
    return work({ ...server, madeAt: new Date(), write: (sink) => server.backUp(sink, report) });
  }
}

async function writeToFile(source: Source, file: string, encryption: Encryption | null): Promise<Written> {
  const { writeBackupFile } = await import('../resources/installation/backup/backup-file.js');
  const summary = await writeBackupFile(file, source.write, { encryption });
  return { place: file, bytes: null, summary };
}

async function writeToBucket(source: Source, url: string, encryption: Encryption | null): Promise<Written> {
  const { openBackupPlace } = await import('../storage/open-storage.js');
  const { backupName, storeBackup } = await import('../resources/installation/backup/stored-backup.js');
  const name = backupName({ ...source, isEncrypted: encryption !== null, isScheduled: false });
  const { result, bytes } = await storeBackup(openBackupPlace(url), name, source.write, { encryption });
  return { place: name, bytes, summary: result };
}

function describe(step: BackupProgress): string {
  return step.phase === 'rows'
    ? `rows of ${step.table}: ${step.rows}`
    : `objects: ${step.count} (${readableBytes(step.bytes)})`;
}

function* warningsOf({ missing, damaged, examples }: ServerBackup): Generator<string> {
  if (missing > 0)
    yield `${missing} objects that rows name are not there: they were deleted since the backup began, or lost before`;
  if (damaged > 0) yield `${damaged} objects are not what their rows say, and are in the backup as they are`;
  if (examples.length > 0) yield `such as ${examples.slice(0, 3).join(', ')}; slipway check finds all that are lost`;
}
