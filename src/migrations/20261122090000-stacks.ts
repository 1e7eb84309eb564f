import { Migration } from '@mikro-orm/migrations';

export class Stacks20261122090000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "stacks" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid not null, "cluster_queue_id" uuid not null, "key" text not null, "type" text not null, "metadata" jsonb not null default '{}', "created_at" timestamptz(3) not null, "last_connected_at" timestamptz(3) not null, "disconnected_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "stacks_organization_id_index" on "stacks" ("organization_id")`);
    this.addSql(`create index "stacks_cluster_queue_id_index" on "stacks" ("cluster_queue_id")`);
    this.addSql(`alter table "stacks" add constraint "stacks_cluster_id_key_unique" unique ("cluster_id", "key")`);
    this.addSql(`alter table "jobs" add column "stack_id" uuid null`);
  }

  override down(): void {
    this.addSql(`alter table "jobs" drop column "stack_id"`);
    this.addSql(`drop table "stacks"`);
  }
}
