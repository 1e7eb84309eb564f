import { Migration } from '@mikro-orm/migrations';

/** Policies of retention, pins of builds, and what its background task has to remember. */
export class Retention20261126003000 extends Migration {
  override up(): void {
    this.addSql(`alter table "organizations" add column "retention" jsonb null`);
    this.addSql(`alter table "pipelines" add column "retention" jsonb null`);
    this.addSql(
      `alter table "builds" add column "pinned_at" timestamptz(3) null, add column "pinned_by_id" uuid null, add column "pin_reason" text null, add column "logs_expired_at" timestamptz(3) null, add column "artifacts_expired_at" timestamptz(3) null`,
    );
    this.addSql(`alter table "jobs" add column "log_expired_at" timestamptz(3) null`);
    this.addSql(
      `create table "retention_passes" ("name" text not null primary key, "progress" jsonb null, "report" jsonb null, "started_at" timestamptz(3) null, "leased_by" text null, "leased_until" timestamptz(3) null)`,
    );
    this.addSql(`insert into "retention_passes" ("name") values ('retention')`);
    this.addSql(
      `create table "retention_leftovers" ("build_id" uuid not null, "kind" text not null, "organization_id" uuid not null, "created_at" timestamptz(3) not null, primary key ("build_id", "kind"))`,
    );
    this.addSql(`create index "retention_leftovers_created_at_index" on "retention_leftovers" ("created_at")`);
    this.addSql(
      `create table "storage_sizes" ("owner_id" uuid not null, "kind" text not null, "organization_id" uuid not null, "rows" bigint not null, "bytes" bigint not null, "counted_at" timestamptz(3) not null, primary key ("owner_id", "kind"))`,
    );
    this.addSql(
      `create index "storage_sizes_organization_id_kind_index" on "storage_sizes" ("organization_id", "kind")`,
    );
  }

  override down(): void {
    this.addSql(`drop table "storage_sizes"`);
    this.addSql(`drop table "retention_leftovers"`);
    this.addSql(`drop table "retention_passes"`);
    this.addSql(`alter table "jobs" drop column "log_expired_at"`);
    this.addSql(
      `alter table "builds" drop column "pinned_at", drop column "pinned_by_id", drop column "pin_reason", drop column "logs_expired_at", drop column "artifacts_expired_at"`,
    );
    this.addSql(`alter table "pipelines" drop column "retention"`);
    this.addSql(`alter table "organizations" drop column "retention"`);
  }
}
