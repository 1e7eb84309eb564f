import { Migration } from '@mikro-orm/migrations';

/** What the background task of retention has to remember, and sizes. */
export class Retention20261126003000 extends Migration {
  override up(): void {
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
  }
}
