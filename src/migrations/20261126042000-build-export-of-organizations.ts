import { ShortLockMigration } from './short-lock-migration.js';

/** Where an organization has its builds exported to before retention deletes them. */
export class BuildExportOfOrganizations20261126042000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "organizations" add column if not exists "build_export" jsonb null`,
    down: `alter table "organizations" drop column if exists "build_export"`,
  };
}
