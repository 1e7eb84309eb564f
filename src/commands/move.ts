import { Command } from 'commander';
import type { Config } from '../server/config.js';
import type { OpenDatabase } from '../database/open.js';
import { note, print } from './output.js';
import { readConfiguration } from './read-configuration.js';
import { reportProgress } from './report-progress.js';
import { WrongUsage } from './wrong-usage.js';

/** What `--to` names beside an address of PostgreSQL. */
const embedded = 'embedded';

/** `slipway move`: all rows into another database. */
export function moveCommand(): Command {
  return new Command('move')
    .description('Move the installation from the embedded database to PostgreSQL, or back.')
    .requiredOption('--to <database>', `postgres://… of an empty database, or \`${embedded}\` for the one in DATA_DIR`)
    .option('--json', 'print what was moved as JSON')
    .addHelpText(
      'after',
      '\nStop all servers first. Bytes of logs and artifacts stay in the storage, and the old database keeps its ' +
        'rows.' +
        '\nThe new database needs the same SECRET_KEY; that of the embedded database is in DATA_DIR/secret-key.',
    )
    .action(move);
}

async function move({ to, json }: { to: string; json?: boolean }): Promise<void> {
  const config = await readConfiguration();
  if (to === embedded ? !config.databaseUrl : !/^postgres(ql)?:\/\//.test(to))
    throw new WrongUsage(
      to === embedded
        ? '--to embedded: this is the embedded database already; set DATABASE_URL to the one to move from'
        : `--to: names an address of PostgreSQL (postgres://…) or ${embedded}`,
    );
  if (to === config.databaseUrl) throw new WrongUsage('--to: names the database of DATABASE_URL itself');
  const { withInstallation } = await import('./with-installation.js');
  const { moveDatabase } = await import('../resources/installation/move/move-database.js');
  const report = reportProgress();
  const moved = await withInstallation(async (installation) => {
    const target = await openTarget(to, config);
    try {
      return await moveDatabase(installation, target, (table, rows) => report(() => `rows of ${table}: ${rows}`));
    } finally {
      await target.close();
    }
  });
  for (const line of nextSteps(to, config)) await note(line);
  await print(json, moved, `moved ${moved.rows} rows of ${moved.tables} tables`);
}

async function openTarget(to: string, { dataDir, databasePoolSize }: Config): Promise<OpenDatabase> {
  const { openDatabase } = await import('../database/open.js');
  const { checkServer } = await import('../database/check-server.js');
  if (to === embedded) return openDatabase({ dataDir });
  await checkServer(to);
  return openDatabase({ databaseUrl: to, dataDir, poolSize: databasePoolSize });
}

function* nextSteps(to: string, config: Config): Generator<string> {
  if (to === embedded) {
    yield 'start the server without DATABASE_URL, with the same DATA_DIR';
    yield `keep SECRET_KEY set, or write its value to ${config.dataDir}/secret-key`;
  } else {
    yield 'start the servers with DATABASE_URL set to the new database';
    if (config.secretKey === undefined) yield `and with SECRET_KEY set to the content of ${config.dataDir}/secret-key`;
  }
  if (config.storageUrl === undefined)
    yield `logs and artifacts stay in ${config.dataDir}/objects: keep DATA_DIR, or set STORAGE_URL to that directory`;
  yield 'servers refuse the former database with this storage from now on; its rows are still there';
  yield 'to go back to the former database, run slipway adopt-storage with it';
}
