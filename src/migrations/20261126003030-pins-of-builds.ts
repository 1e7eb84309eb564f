import { ShortLockMigration } from './short-lock-migration.js';

/** Pins of builds, and when the bytes of their logs and artifacts went. */
export class PinsOfBuilds20261126003030 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "builds" add column "pinned_at" timestamptz(3) null, add column "pinned_by_id" uuid null, add column "pin_reason" text null, add column "logs_expired_at" timestamptz(3) null, add column "artifacts_expired_at" timestamptz(3) null`,
    down: `alter table "builds" drop column "pinned_at", drop column "pinned_by_id", drop column "pin_reason", drop column "logs_expired_at", drop column "artifacts_expired_at"`,
  };
}
