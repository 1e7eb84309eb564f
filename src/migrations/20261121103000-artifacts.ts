import { Migration } from '@mikro-orm/migrations';

/** Artifacts: files that jobs leave behind. */
export class Artifacts20261121103000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "artifacts" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "build_id" uuid not null, "job_id" uuid not null, "batch_id" uuid not null, "position" int not null, "state" text not null, "path" text not null, "absolute_path" text null, "glob_path" text null, "content_type" text not null, "file_size" bigint not null, "sha1sum" text not null, "sha256sum" text null, "upload_destination" text null, "url" text null, "created_at" timestamptz(3) not null, "stored_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "deleted_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "artifacts_build_id_id_index" on "artifacts" ("build_id", "id")`);
    this.addSql(`create index "artifacts_job_id_id_index" on "artifacts" ("job_id", "id")`);
    this.addSql(`create index "artifacts_pipeline_id_index" on "artifacts" ("pipeline_id")`);
    this.addSql(`create index "artifacts_unfinished_index" on "artifacts" ("created_at", "id") where "state" = 'new'`);
    this.addSql(
      `alter table "artifacts" add constraint "artifacts_job_id_batch_id_position_unique" unique ("job_id", "batch_id", "position")`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "artifacts" cascade`);
  }
}
