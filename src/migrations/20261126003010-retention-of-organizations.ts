import { ShortLockMigration } from './short-lock-migration.js';

const others = `from pg_stat_activity
  where "datname" = current_database() and "usename" = current_user and "pid" <> pg_backend_pid()
    and "application_name" = current_setting('application_name')`;

/**
 * Replicas of 0.2.0 keep a statement of this table for each of their connections, which the column outdates. They
 * answer 503 when a transaction meets five such connections one after the other. So those that nobody uses are closed
 * while the table is locked: half a second tells them from those in use, of which each is met once. Later releases
 * close them by themselves (`database/postgres-driver.ts`).
 */
const pause = `select case when exists (select 1 ${others}) then pg_sleep(0.5) end`;
/** A transaction sees the sessions as it saw them first. */
const lookAnew = 'select pg_stat_clear_snapshot()';
const closeUnusedConnections = `
  select count(pg_terminate_backend("pid")) ${others}
    and "state" = 'idle' and "state_change" < clock_timestamp() - interval '450 ms'
    and "pid" not in (select "pid" from pg_locks where "locktype" = 'advisory')`;

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
    this.addSql(pause);
    this.addSql(lookAnew);
    this.addSql(closeUnusedConnections);
  }
}
