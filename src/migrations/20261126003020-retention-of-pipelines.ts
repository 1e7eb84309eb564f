import { ShortLockMigration } from './short-lock-migration.js';

/** The policy of a pipeline. */
export class RetentionOfPipelines20261126003020 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "pipelines" add column "retention" jsonb null`,
    down: `alter table "pipelines" drop column "retention"`,
  };
}
