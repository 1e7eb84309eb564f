import { closeUnusedConnections } from './close-unused-connections.js';
import { ShortLockMigration } from './short-lock-migration.js';

/** From where on the time of an agent is not in rollups yet. */
export class UncountedTimeOfAgents20261129130000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "agents" add column "uncounted_since_at" timestamptz(3) null, add column "uncounted_since_ms" bigint null`,
    down: `alter table "agents" drop column "uncounted_since_at", drop column "uncounted_since_ms"`,
  };

  override up(): void {
    super.up();
    this.addSql(closeUnusedConnections);
  }
}
