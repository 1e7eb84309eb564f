import { Migration } from '@mikro-orm/migrations';

/** Schedules of pipelines with the builds they make; maintainers and secrets of clusters. */
export class SchedulesAndSecrets20261121104000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "cluster_maintainers" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid not null, "user_id" uuid null, "team_id" uuid null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "cluster_maintainers_cluster_id_id_index" on "cluster_maintainers" ("cluster_id", "id")`);
    this.addSql(`create index "cluster_maintainers_team_id_index" on "cluster_maintainers" ("team_id")`);
    this.addSql(
      `alter table "cluster_maintainers" add constraint "cluster_maintainers_cluster_id_user_id_unique" unique ("cluster_id", "user_id")`,
    );
    this.addSql(
      `alter table "cluster_maintainers" add constraint "cluster_maintainers_cluster_id_team_id_unique" unique ("cluster_id", "team_id")`,
    );
    this.addSql(
      `create table "cluster_secrets" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid not null, "key" text not null, "description" text null, "policy" text null, "encrypted_value" text not null, "created_by_id" uuid null, "updated_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "last_read_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "cluster_secrets_cluster_id_id_index" on "cluster_secrets" ("cluster_id", "id")`);
    this.addSql(`create unique index "cluster_secrets_key_unique" on "cluster_secrets" ("cluster_id", lower("key"))`);
    this.addSql(
      `create table "pipeline_schedules" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "label" text not null, "cronline" text not null, "message" text null, "commit" text not null, "branch" text not null, "env" jsonb not null default '{}', "enabled" boolean not null, "next_build_at" timestamptz(3) null, "failed_at" timestamptz(3) null, "failed_message" text null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "pipeline_schedules_pipeline_id_id_index" on "pipeline_schedules" ("pipeline_id", "id")`);
    this.addSql(
      `create index "pipeline_schedules_due_index" on "pipeline_schedules" ("next_build_at", "id") where "next_build_at" is not null`,
    );
    this.addSql(`alter table "builds" add column "pipeline_schedule_id" uuid null`);
    this.addSql(
      `create index "builds_of_schedule_index" on "builds" ("pipeline_schedule_id", "id") where "pipeline_schedule_id" is not null`,
    );
  }

  override down(): void {
    this.addSql(`drop index if exists "builds_of_schedule_index"`);
    this.addSql(`alter table "builds" drop column if exists "pipeline_schedule_id"`);
    this.addSql(`drop table if exists "pipeline_schedules" cascade`);
    this.addSql(`drop table if exists "cluster_secrets" cascade`);
    this.addSql(`drop table if exists "cluster_maintainers" cascade`);
  }
}
