import { Migration } from '@mikro-orm/migrations';

/** Test suites with uploads, runs, tests and their executions. */
export class TestRuns20261121102000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "suite_executions" ("id" uuid not null, "organization_id" uuid not null, "suite_id" uuid not null, "run_id" uuid not null, "upload_id" uuid not null, "test_id" uuid not null, "result" text not null, "duration" double precision null, "location" text null, "file_name" text null, "failure_reason" text null, "failure_expanded" jsonb not null default '[]', "tags" jsonb not null default '{}', "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "suite_executions_run_id_id_index" on "suite_executions" ("run_id", "id")`);
    this.addSql(
      `create index "suite_executions_run_id_result_id_index" on "suite_executions" ("run_id", "result", "id")`,
    );
    this.addSql(`create index "suite_executions_test_id_id_index" on "suite_executions" ("test_id", "id")`);
    this.addSql(
      `create table "suite_runs" ("id" uuid not null, "organization_id" uuid not null, "suite_id" uuid not null, "key" text not null, "state" text not null, "result" text not null, "build_id" uuid null, "branch" text null, "commit_sha" text null, "message" text null, "source_url" text null, "ci" text null, "number" text null, "job_id" text null, "uploads_count" int not null default 0, "passed_count" int not null default 0, "failed_count" int not null default 0, "skipped_count" int not null default 0, "unknown_count" int not null default 0, "kept_count" int not null default 0, "created_at" timestamptz(3) not null, "last_upload_at" timestamptz(3) not null, "finished_at" timestamptz(3) null, "deadline_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "suite_runs_suite_id_id_index" on "suite_runs" ("suite_id", "id")`);
    this.addSql(`create index "suite_runs_build_id_id_index" on "suite_runs" ("build_id", "id")`);
    this.addSql(
      `create index "suite_runs_deadline_index" on "suite_runs" ("deadline_at") where "deadline_at" is not null`,
    );
    this.addSql(`alter table "suite_runs" add constraint "suite_runs_suite_id_key_unique" unique ("suite_id", "key")`);
    this.addSql(
      `create table "suite_tests" ("id" uuid not null, "organization_id" uuid not null, "suite_id" uuid not null, "identity" text not null, "scope" text not null, "name" text not null, "location" text null, "file_name" text null, "state" text not null default 'enabled', "labels" text[] not null default '{}', "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "suite_tests_suite_id_id_index" on "suite_tests" ("suite_id", "id")`);
    this.addSql(
      `alter table "suite_tests" add constraint "suite_tests_suite_id_identity_unique" unique ("suite_id", "identity")`,
    );
    this.addSql(
      `create table "suite_uploads" ("id" uuid not null, "organization_id" uuid not null, "suite_id" uuid not null, "run_id" uuid not null, "format" text not null, "fingerprint" text not null, "idempotency_key" text null, "queued" int not null, "skipped" int not null, "errors" jsonb not null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "suite_uploads" add constraint "suite_uploads_run_id_fingerprint_unique" unique ("run_id", "fingerprint")`,
    );
    this.addSql(
      `alter table "suite_uploads" add constraint "suite_uploads_suite_id_idempotency_key_unique" unique ("suite_id", "idempotency_key")`,
    );
    this.addSql(`create index "events_run_index" on "events" ("subject_id") where "subject" = 'run'`);
    this.addSql(
      `alter table "suites" add "application_name" text null, add "color" text null, add "emoji" text null, add "token_sealed" text null`,
    );
    this.addSql(`create index "suites_organization_id_id_index" on "suites" ("organization_id", "id")`);
  }

  override down(): void {
    this.addSql(`drop index "suites_organization_id_id_index"`);
    this.addSql(
      `alter table "suites" drop column "application_name", drop column "color", drop column "emoji", drop column "token_sealed"`,
    );
    this.addSql(`drop index "events_run_index"`);
    this.addSql(`drop table if exists "suite_uploads" cascade`);
    this.addSql(`drop table if exists "suite_tests" cascade`);
    this.addSql(`drop table if exists "suite_runs" cascade`);
    this.addSql(`drop table if exists "suite_executions" cascade`);
  }
}
