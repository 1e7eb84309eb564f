import { ShortLockMigration } from './short-lock-migration.js';

/** Names of connections, and the credentials of other hosts than GitHub. */
export class KindsOfConnections20261126044000 extends ShortLockMigration {
  protected override readonly change = {
    up:
      `alter table "provider_connections" add column "name" text null, add column "username" text null, ` +
      `add column "app_id" text null, add column "webhook_secret" text null`,
    down:
      `alter table "provider_connections" drop column "name", drop column "username", ` +
      `drop column "app_id", drop column "webhook_secret"`,
  };
}
