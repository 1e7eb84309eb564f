import { Command } from 'commander';
import { print } from './output.js';

/** `slipway migrate`: migrations only. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date and exit.')
    .option('--json', 'print the migrations that were run as JSON')
    .action(async (options: { json?: boolean }) => {
      const { withInstallation } = await import('./with-installation.js');
      const migrated = await withInstallation(async (installation) => installation.migrated);
      await print(
        options.json,
        { migrated },
        migrated.length === 0 ? 'the schema is up to date' : migrated.map((name) => `ran ${name}`).join('\n'),
      );
    });
}
