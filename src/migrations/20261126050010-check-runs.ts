import { ShortLockMigration } from './short-lock-migration.js';

/** Check runs of GitHub, beside the commit statuses that they are sent with. */
export class CheckRuns20261126050010 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "commit_statuses" add column "check_output" jsonb null, add column "check_run" jsonb null`,
    down: `alter table "commit_statuses" drop column "check_output", drop column "check_run"`,
  };
}
