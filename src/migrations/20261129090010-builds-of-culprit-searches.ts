import { closeUnusedConnections } from './close-unused-connections.js';
import { ShortLockMigration } from './short-lock-migration.js';

/** The search for a culprit that a build belongs to, which no list of the pushes of a branch counts. */
export class BuildsOfCulpritSearches20261129090010 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "builds" add column "culprit_search_id" uuid null`,
    down: `alter table "builds" drop column "culprit_search_id"`,
  };

  override up(): void {
    super.up();
    this.addSql(closeUnusedConnections);
  }
}
