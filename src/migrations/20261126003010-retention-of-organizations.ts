import { ShortLockMigration } from './short-lock-migration.js';

/** The policy of an organization. */
export class RetentionOfOrganizations20261126003010 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "organizations" add column "retention" jsonb null`,
    down: `alter table "organizations" drop column "retention"`,
  };
}
