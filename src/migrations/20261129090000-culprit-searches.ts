import { Migration } from '@mikro-orm/migrations';

/** Searches for commits that turned branches red, and their builds. */
export class CulpritSearches20261129090000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "culprit_searches" ("id" uuid not null primary key, "organization_id" uuid not null, "pipeline_id" uuid not null, "build_id" uuid not null, "state" text not null, "branch" text not null, "steps" jsonb not null, "plan" jsonb not null, "timeouts" boolean not null default false, "good_commit" text not null, "good_build_id" uuid null, "bad_commit" text not null, "bad_build_id" uuid not null, "commits" text[] not null default '{}', "commits_from" text null, "first_suspect" int null, "last_suspect" int null, "culprit_commit" text null, "reason" text null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "next_look_at" timestamptz(3) null, "deadline_at" timestamptz(3) not null, "finished_at" timestamptz(3) null)`,
    );
    this.addSql(`create index "culprit_searches_pipeline_id_id_index" on "culprit_searches" ("pipeline_id", "id")`);
    this.addSql(`create index "culprit_searches_build_id_id_index" on "culprit_searches" ("build_id", "id")`);
    this.addSql(
      `create unique index "culprit_searches_unfinished_unique" on "culprit_searches" ("build_id") where "state" in ('preparing', 'running')`,
    );
    this.addSql(
      `create index "culprit_searches_unfinished_index" on "culprit_searches" ("organization_id", "pipeline_id") where "state" in ('preparing', 'running')`,
    );
    this.addSql(
      `create index "culprit_searches_due_index" on "culprit_searches" ("next_look_at") where "next_look_at" is not null`,
    );
    this.addSql(
      `create index "culprit_searches_answered_index" on "culprit_searches" ("bad_build_id") where "culprit_commit" is not null`,
    );
    this.addSql(
      `create table "culprit_builds" ("search_id" uuid not null, "position" int not null, "organization_id" uuid not null, "build_id" uuid not null, "step_ids" text[] not null default '{}', "verdict" text null, "reason" text null, "created_at" timestamptz(3) not null, "judged_at" timestamptz(3) null, primary key ("search_id", "position"))`,
    );
    this.addSql(`create index "culprit_builds_build_id_index" on "culprit_builds" ("build_id")`);
  }

  override down(): void {
    this.addSql(`drop table "culprit_builds"`);
    this.addSql(`drop table "culprit_searches"`);
  }
}
