import { Migration } from '@mikro-orm/migrations';

/** Builds whose commit statuses are to be computed. */
export class MarksOfCommitStatuses20261126044030 extends Migration {
  override up(): void {
    this.addSql(
      `create table "commit_status_marks" ("build_id" uuid not null primary key, "organization_id" uuid not null, "due_at" timestamptz(3) not null, "revision" int not null default 1, "created_at" timestamptz(3) not null)`,
    );
    this.addSql(`create index "commit_status_marks_due_at_index" on "commit_status_marks" ("due_at")`);
  }

  override down(): void {
    this.addSql(`drop table "commit_status_marks"`);
  }
}
