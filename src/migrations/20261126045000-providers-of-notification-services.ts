import { ShortLockMigration } from './short-lock-migration.js';

/** Provider and settings of a notification service, and whether it is broken. */
export class ProvidersOfNotificationServices20261126045000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "notification_services" add column "provider" text not null default 'webhook', add column "settings" jsonb not null default '{}', add column "sealed_settings" text null, add column "failures" int not null default 0, add column "failing_since_at" timestamptz(3) null, add column "broken_at" timestamptz(3) null`,
    down: `alter table "notification_services" drop column "provider", drop column "settings", drop column "sealed_settings", drop column "failures", drop column "failing_since_at", drop column "broken_at"`,
  };
}
