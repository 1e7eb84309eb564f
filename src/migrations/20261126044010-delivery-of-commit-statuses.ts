import { ShortLockMigration } from './short-lock-migration.js';

/** What is needed to send commit statuses to hosts of every kind, in the order and at the pace that they allow. */
export class DeliveryOfCommitStatuses20261126044010 extends ShortLockMigration {
  protected override readonly change = {
    up:
      `alter table "commit_statuses" add column "outcome" text null, add column "connection_id" uuid null, ` +
      `add column "repository" text null, add column "of_step" boolean not null default false, ` +
      `add column "leased_until_at" timestamptz(3) null, add column "sent_revision" int null, ` +
      `add column "superseded_by_id" uuid null`,
    down:
      `alter table "commit_statuses" drop column "outcome", drop column "connection_id", drop column "repository", ` +
      `drop column "of_step", drop column "leased_until_at", drop column "sent_revision", ` +
      `drop column "superseded_by_id"`,
  };
}
