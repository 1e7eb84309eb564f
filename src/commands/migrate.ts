import { Command } from 'commander';
import type { PlannedLock, PlannedMigration } from '../database/migration-plan.js';
import { print } from './output.js';
import { readableBytes } from './report-progress.js';

/** `slipway migrate`: migrations only; with `--plan` only their statements and locks. */
export function migrateCommand(): Command {
  return new Command('migrate')
    .description('Bring the database schema up to date and exit.')
    .option('--plan', 'print the statements of the migrations that would run, and the tables they lock; run nothing')
    .option('--json', 'print the migrations that were run, or the plan, as JSON')
    .action((options: { plan?: boolean; json?: boolean }) => (options.plan ? plan(options) : run(options)));
}

async function run(options: { json?: boolean }): Promise<void> {
  const { withInstallation } = await import('./with-installation.js');
  const migrated = await withInstallation(async (installation) => installation.migrated);
  await print(
    options.json,
    { migrated },
    migrated.length === 0 ? 'the schema is up to date' : migrated.map((name) => `ran ${name}`).join('\n'),
  );
}

async function plan(options: { json?: boolean }): Promise<void> {
  const { withDatabase } = await import('./with-database.js');
  const { planMigrations } = await import('../database/migration-plan.js');
  const pending = await withDatabase(planMigrations);
  await print(options.json, { pending: pending.map(shown) }, textOf(pending));
}

const shown = ({ name, isTransactional, statements }: PlannedMigration) => ({
  name,
  transactional: isTransactional,
  statements,
});

function textOf(pending: readonly PlannedMigration[]): string {
  if (pending.length === 0) return 'the schema is up to date';
  return pending
    .map(({ name, isTransactional, statements }) =>
      [
        `${name} (${isTransactional ? 'one transaction' : 'without a transaction'})`,
        ...statements.flatMap(({ statement, locks }) => [
          `  ${statement.trim().replaceAll('\n', '\n  ')};`,
          ...locks.map((lock) => `    -- ${lockText(lock)}`),
        ]),
      ].join('\n'),
    )
    .join('\n\n');
}

function lockText({ table, mode, waiting, rewrites, rows, bytes }: PlannedLock): string {
  const size = `${Math.round(rows).toLocaleString('en-US')} rows, ${readableBytes(bytes)}`;
  const wait = waiting === 'nothing' ? 'no request waits' : `${waiting} wait`;
  return `${table} (about ${size}): ${mode}, ${wait}${rewrites ? '; the whole table is rewritten' : ''}`;
}
