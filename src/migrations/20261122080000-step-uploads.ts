import { Migration } from '@mikro-orm/migrations';

export class StepUploads20261122080000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "step_uploads" ("id" uuid not null, "organization_id" uuid not null, "build_id" uuid not null, "job_id" uuid not null, "uuid" uuid not null, "sequence" int not null, "state" text not null, "message" text null, "replace" boolean not null default false, "steps_count" int not null default 0, "jobs_count" int not null default 0, "removed_jobs_count" int not null default 0, "definition" text null, "definition_bytes" int not null, "pipeline_env_before" jsonb null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "step_uploads" add constraint "step_uploads_job_id_uuid_unique" unique ("job_id", "uuid")`,
    );
    this.addSql(`create index "step_uploads_build_id_sequence_index" on "step_uploads" ("build_id", "sequence")`);
    this.addSql(
      `create index "step_uploads_definition_index" on "step_uploads" ("created_at") where "definition" is not null`,
    );
    this.addSql(`alter table "builds" add column "conditions" jsonb not null default '{}'`);
    this.addSql(`alter table "builds" add column "upload_count" int not null default 0`);
    this.addSql(`alter table "jobs" add column "upload_count" int null`);
  }

  override down(): void {
    this.addSql(`alter table "jobs" drop column "upload_count"`);
    this.addSql(`alter table "builds" drop column "upload_count"`);
    this.addSql(`alter table "builds" drop column "conditions"`);
    this.addSql(`drop table "step_uploads"`);
  }
}
