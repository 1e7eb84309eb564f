import { Migration } from '@mikro-orm/migrations';

/** Lines of failed jobs that tell of the failure, and hashes of the lines of passed ones. */
export class LogExtracts20261129100000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "log_extracts" ("job_id" uuid not null primary key, "organization_id" uuid not null, "pipeline_id" uuid not null, "content" text not null, "places" jsonb not null, "cluster" text null, "decisive" int null)`,
    );
    this.addSql(
      `create index "log_extracts_organization_id_job_id_index" on "log_extracts" ("organization_id", "job_id")`,
    );
    this.addSql(`create index "log_extracts_pipeline_id_job_id_index" on "log_extracts" ("pipeline_id", "job_id")`);
    this.addSql(
      `create index "log_extracts_cluster_index" on "log_extracts" ("organization_id", "cluster", "job_id") where "cluster" is not null`,
    );
    this.addSql(
      `create table "passed_logs" ("pipeline_id" uuid not null, "step" text not null, "is_default_branch" boolean not null, "job_id" uuid not null, "organization_id" uuid not null, "hashes" bytea not null, "created_at" timestamptz(3) not null, primary key ("pipeline_id", "step", "is_default_branch", "job_id"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table "passed_logs"`);
    this.addSql(`drop table "log_extracts"`);
  }
}
