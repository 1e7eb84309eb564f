import { Migration } from '@mikro-orm/migrations';

/** Annotations of builds and jobs. */
export class Annotations20261121101000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "annotations" ("id" uuid not null, "organization_id" uuid not null, "build_id" uuid not null, "job_id" uuid null, "context" text not null, "style" text null, "priority" int not null, "body" text not null, "body_html" text not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create unique index "annotations_context_of_build_unique" on "annotations" ("build_id", "context") where "job_id" is null`,
    );
    this.addSql(
      `create unique index "annotations_context_of_job_unique" on "annotations" ("job_id", "context") where "job_id" is not null`,
    );
    this.addSql(`create index "annotations_shown_of_build_index" on "annotations" ("build_id", "priority" desc, "id")`);
    this.addSql(
      `create index "annotations_shown_of_job_index" on "annotations" ("job_id", "priority" desc, "id") where "job_id" is not null`,
    );
    this.addSql(`create index "annotations_build_id_id_index" on "annotations" ("build_id", "id")`);
  }

  override down(): void {
    this.addSql(`drop table if exists "annotations" cascade`);
  }
}
