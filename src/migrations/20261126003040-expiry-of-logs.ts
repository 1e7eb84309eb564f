import { closeUnusedConnections } from './close-unused-connections.js';
import { ShortLockMigration } from './short-lock-migration.js';

/** When the bytes of a job's log went. */
export class ExpiryOfLogs20261126003040 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "jobs" add column "log_expired_at" timestamptz(3) null`,
    down: `alter table "jobs" drop column "log_expired_at"`,
  };

  override up(): void {
    super.up();
    this.addSql(closeUnusedConnections);
  }
}
