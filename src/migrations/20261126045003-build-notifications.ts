import { Migration } from '@mikro-orm/migrations';

/** What came of each `notify` entry of a build at each moment. */
export class BuildNotifications20261126045003 extends Migration {
  override up(): void {
    this.addSql(
      `create table "build_notifications" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "build_id" uuid not null, "step_id" uuid null, "channel" text not null, "target" text not null, "condition" text null, "event" text not null, "outcome" text not null, "detail" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "build_notifications_build_id_id_index" on "build_notifications" ("build_id", "id")`);
  }

  override down(): void {
    this.addSql(`drop table "build_notifications"`);
  }
}
