import { closeUnusedConnections } from './close-unused-connections.js';
import { ShortLockMigration } from './short-lock-migration.js';

/**
 * The policy of an organization, and what `20261126042000-build-export-of-organizations` needs: a second change of the
 * table would outdate the statements of connections that have been opened since.
 */
export class RetentionOfOrganizations20261126003010 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "organizations" add column "retention" jsonb null, add column "build_export" jsonb null`,
    down: `alter table "organizations" drop column "retention", drop column if exists "build_export"`,
  };

  override up(): void {
    super.up();
    this.addSql(closeUnusedConnections);
  }
}
