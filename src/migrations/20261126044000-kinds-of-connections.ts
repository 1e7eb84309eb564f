import { ShortLockMigration } from './short-lock-migration.js';

/** Names of connections, the credentials of other hosts than GitHub, and how a connection fares. */
export class KindsOfConnections20261126044000 extends ShortLockMigration {
  protected override readonly change = {
    up:
      `alter table "provider_connections" add column "name" text null, add column "username" text null, ` +
      `add column "app_id" text null, add column "webhook_secret" text null, add column "account" text null, ` +
      `add column "rate_limit" jsonb null, add column "failing_since_at" timestamptz(3) null, ` +
      `add column "last_error" text null, add column "last_error_at" timestamptz(3) null`,
    down:
      `alter table "provider_connections" drop column "name", drop column "username", ` +
      `drop column "app_id", drop column "webhook_secret", drop column "account", drop column "rate_limit", ` +
      `drop column "failing_since_at", drop column "last_error", drop column "last_error_at"`,
  };
}
