import { Migration } from '@mikro-orm/migrations';

/** What the backups that servers make by themselves have come to. */
export class ScheduledBackups20261126010000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "scheduled_backups" ("name" text not null primary key, "started_at" timestamptz(3) null, "succeeded_at" timestamptz(3) null, "object" text null, "bytes" bigint null, "failures" int not null default 0, "last_error" text null, "leased_by" text null, "leased_until" timestamptz(3) null, "created_at" timestamptz(3) not null)`,
    );
  }

  override down(): void {
    this.addSql(`drop table "scheduled_backups"`);
  }
}
