import { ShortLockMigration } from './short-lock-migration.js';

/** How far the count of sizes has come, which is no part of a pass of retention any more. */
export class CountOfSizes20261127060000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "retention_passes" add column "counted" jsonb null`,
    down: `alter table "retention_passes" drop column "counted"`,
  };
}
