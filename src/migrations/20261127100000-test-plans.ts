import { Migration } from '@mikro-orm/migrations';

/** Plans that split the tests of a suite over the parallel jobs of a step. */
export class TestPlans20261127100000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "test_plans" ("id" uuid not null primary key, "organization_id" uuid not null, "suite_id" uuid not null, "identifier" text not null, "branch" text not null, "plan" jsonb not null, "reports" jsonb not null default '{}', "created_at" timestamptz(3) not null, constraint "test_plans_suite_id_identifier_unique" unique ("suite_id", "identifier"))`,
    );
    this.addSql(`create index "test_plans_created_at_index" on "test_plans" ("created_at")`);
  }

  override down(): void {
    this.addSql(`drop table "test_plans"`);
  }
}
