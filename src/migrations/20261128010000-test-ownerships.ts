import { Migration } from '@mikro-orm/migrations';

/** The TESTOWNERS files of suites. */
export class TestOwnerships20261128010000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "test_ownerships" ("suite_id" uuid not null primary key, "organization_id" uuid not null, "content" text not null, "stored_at" timestamptz(3) not null)`,
    );
    this.addSql(`create index "test_ownerships_organization_id_index" on "test_ownerships" ("organization_id")`);
  }

  override down(): void {
    this.addSql(`drop table "test_ownerships"`);
  }
}
