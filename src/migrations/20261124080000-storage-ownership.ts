import { Migration } from '@mikro-orm/migrations';

/** The installation's id, which its storage carries too, and how far the sweep of the storage has come. */
export class StorageOwnership20261124080000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "installations" ("name" text not null, "installation_id" uuid not null, "storage_stamp" bigint not null default '0', "created_at" timestamptz(3) not null, primary key ("name"))`,
    );
    this.addSql(
      `create table "storage_sweeps" ("name" text not null, "progress" jsonb null, "report" jsonb null, "started_at" timestamptz(3) null, "leased_by" text null, "leased_until" timestamptz(3) null, primary key ("name"))`,
    );
    this.addSql(`insert into "storage_sweeps" ("name") values ('objects')`);
  }

  override down(): void {
    this.addSql(`drop table "storage_sweeps"`);
    this.addSql(`drop table "installations"`);
  }
}
