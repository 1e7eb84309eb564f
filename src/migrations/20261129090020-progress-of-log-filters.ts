import { ShortLockMigration } from './short-lock-migration.js';

/** How far logs that were merged before there were filters have been given theirs. */
export class ProgressOfLogFilters20261129090020 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "retention_passes" add column "filtered_from" uuid null`,
    down: `alter table "retention_passes" drop column "filtered_from"`,
  };
}
