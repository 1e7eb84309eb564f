import { Command } from 'commander';
import type { Backup, BackupProgress } from '../resources/installation/backup/back-up.js';
import { note, print } from './output.js';
import { readableBytes, reportProgress } from './report-progress.js';

/** `slipway backup`: the whole installation in one file. */
export function backupCommand(): Command {
  return new Command('backup')
    .description('Write the database and the bytes of logs and artifacts into one file.')
    .argument('<file>', 'file to make; one that is there is not replaced')
    .option('--json', 'print what the backup holds as JSON')
    .addHelpText(
      'after',
      '\nOn PostgreSQL servers go on meanwhile; with the embedded database stop the server first.' +
        '\nThe secret key is not in the file: keep SECRET_KEY, or DATA_DIR/secret-key, in another place.',
    )
    .action(backup);
}

async function backup(file: string, options: { json?: boolean }): Promise<void> {
  const { packageVersion } = await import('../agent/user-agent.js');
  const { withInstallation } = await import('./with-installation.js');
  const { backUp } = await import('../resources/installation/backup/back-up.js');
  const { writeBackupFile } = await import('../resources/installation/backup/backup-file.js');
  const progress = reportProgress();
  const summary = await withInstallation((installation) =>
    writeBackupFile(file, (sink) =>
      backUp(installation, sink, { version: packageVersion(), progress: (step) => progress(() => describe(step)) }),
    ),
  );
  for (const text of warningsOf(summary)) await note(`warning: ${text}`);
  await note('the secret key is not in the file, and what is encrypted in it cannot be read without: keep the key too');
  const { header, rows, count, bytes, missing, damaged } = summary;
  await print(
    options.json,
    {
      id: header.id,
      file,
      made_at: header.made_at,
      rows,
      objects: count,
      object_bytes: bytes,
      missing_objects: missing,
      damaged_objects: damaged,
    },
    `wrote ${rows} rows and ${count} objects (${readableBytes(bytes)}) to ${file}`,
  );
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
