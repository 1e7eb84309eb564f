import { Migration } from '@mikro-orm/migrations';

/** Rollups of insights, and how far builds are in them. */
export class InsightRollups20261129040000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "insight_rollups" ("organization_id" uuid not null, "kind" text not null, "span" text not null, "begins_at" timestamptz(3) not null, "pipeline_id" uuid not null, "builds" int not null, "keys" int not null, "figures" jsonb not null, primary key ("organization_id", "kind", "span", "begins_at", "pipeline_id"))`,
    );
    this.addSql(
      `create index "insight_rollups_pipeline_id_span_begins_at_index" on "insight_rollups" ("pipeline_id", "span", "begins_at")`,
    );
    this.addSql(`create index "insight_rollups_span_begins_at_index" on "insight_rollups" ("span", "begins_at")`);
    this.addSql(
      `create table "insight_folds" ("name" text not null primary key, "folded_until_at" timestamptz(3) null, "folded_again_until_at" timestamptz(3) null, "ended_at" timestamptz(3) null, "leased_by" text null, "leased_until" timestamptz(3) null)`,
    );
    // The first pass finds all builds that there are; the second one looks at those that end from now on.
    this.addSql(`insert into "insight_folds" ("name", "folded_again_until_at") values ('this', now())`);
  }

  override down(): void {
    this.addSql(`drop table "insight_folds"`);
    this.addSql(`drop table "insight_rollups"`);
  }
}
