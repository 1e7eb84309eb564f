import { Migration } from '@mikro-orm/migrations';

/** Workflows of test suites: their monitors, what these remember of tests, and their events. */
export class TestWorkflows20261129030000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "test_workflows" ("id" uuid not null primary key, "organization_id" uuid not null, "suite_id" uuid not null, "name" text not null, "enabled" boolean not null default true, "monitor" jsonb not null, "tag_filters" text[] not null default '{}', "alarm_actions" jsonb not null, "recover_actions" jsonb not null, "generation" int not null default 1, "minute_at" timestamptz(3) null, "minute_events" int not null default 0, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, "removed_at" timestamptz(3) null)`,
    );
    this.addSql(`create index "test_workflows_suite_id_id_index" on "test_workflows" ("suite_id", "id")`);
    this.addSql(
      `create index "test_workflows_removed_index" on "test_workflows" ("removed_at") where "removed_at" is not null`,
    );
    this.addSql(
      `create table "test_workflow_states" ("workflow_id" uuid not null, "test_id" uuid not null, "suite_id" uuid not null, "generation" int not null, "memory" jsonb not null, "alarm_id" uuid null, "alarm_at" timestamptz(3) null, primary key ("workflow_id", "test_id"))`,
    );
    this.addSql(`create index "test_workflow_states_suite_id_index" on "test_workflow_states" ("suite_id")`);
    this.addSql(
      `create index "test_workflow_states_alarm_index" on "test_workflow_states" ("workflow_id", "alarm_id") where "alarm_id" is not null`,
    );
    this.addSql(
      `create table "test_workflow_events" ("id" uuid not null primary key, "organization_id" uuid not null, "suite_id" uuid not null, "workflow_id" uuid not null, "test_id" uuid not null, "event" text not null, "facts" jsonb not null, "problems" text[] not null default '{}', "created_at" timestamptz(3) not null)`,
    );
    this.addSql(
      `create index "test_workflow_events_workflow_id_id_index" on "test_workflow_events" ("workflow_id", "id")`,
    );
    this.addSql(`create index "test_workflow_events_suite_id_index" on "test_workflow_events" ("suite_id")`);
    this.addSql(`create index "test_workflow_events_created_at_index" on "test_workflow_events" ("created_at")`);
  }

  override down(): void {
    this.addSql(`drop table "test_workflow_events"`);
    this.addSql(`drop table "test_workflow_states"`);
    this.addSql(`drop table "test_workflows"`);
  }
}
