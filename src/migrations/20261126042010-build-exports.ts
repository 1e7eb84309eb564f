import { Migration } from '@mikro-orm/migrations';

/** Builds that stay although retention would delete them, because their export failed; and exports under way. */
export class BuildExports20261126042010 extends Migration {
  override up(): void {
    this.addSql(
      `create table "build_exports" ("build_id" uuid not null primary key, "organization_id" uuid not null, "exported_at" timestamptz(3) null, "attempts" int not null default 0, "error" text null, "failed_at" timestamptz(3) null, "next_attempt_at" timestamptz(3) null)`,
    );
    this.addSql(`create index "build_exports_organization_id_index" on "build_exports" ("organization_id")`);
  }

  override down(): void {
    this.addSql(`drop table "build_exports"`);
  }
}
