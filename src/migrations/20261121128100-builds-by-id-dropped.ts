import { Migration } from '@mikro-orm/migrations';

/** Indexes of a pipeline's builds by id, which those by number replaced. */
export class BuildsByIdDropped20261121128100 extends Migration {
  override up(): void {
    this.addSql(`drop index "builds_pipeline_id_id_index"`);
    this.addSql(`drop index "builds_pipeline_id_branch_id_index"`);
    this.addSql(`drop index "builds_pipeline_id_commit_id_index"`);
    this.addSql(`drop index "builds_of_schedule_index"`);
  }

  override down(): void {
    this.addSql(
      `create index "builds_of_schedule_index" on "builds" ("pipeline_schedule_id", "id") where "pipeline_schedule_id" is not null`,
    );
    this.addSql(`create index "builds_pipeline_id_commit_id_index" on "builds" ("pipeline_id", "commit", "id")`);
    this.addSql(`create index "builds_pipeline_id_branch_id_index" on "builds" ("pipeline_id", "branch", "id")`);
    this.addSql(`create index "builds_pipeline_id_id_index" on "builds" ("pipeline_id", "id")`);
  }
}
