import { ShortLockMigration } from './short-lock-migration.js';

/** How a notification delivery is sent, where it goes within a service, and its last request. */
export class ChannelsOfDeliveries20261126045001 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "notification_deliveries" add column "channel" text not null default 'webhook', add column "sealed_target" text null, add column "request_body" text null, add column "build_notification_id" uuid null`,
    down: `alter table "notification_deliveries" drop column "channel", drop column "sealed_target", drop column "request_body", drop column "build_notification_id"`,
  };
}
