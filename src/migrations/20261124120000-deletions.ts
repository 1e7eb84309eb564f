import { Migration } from '@mikro-orm/migrations';

/** Resources that are deleted and not purged yet (docs/decisions/0022). */
export class Deletions20261124120000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "deletions" ("id" uuid not null primary key, "organization_id" uuid not null, "resource" text not null, "resource_id" uuid not null, "name" text not null, "remaining" int null, "purged_rows" bigint not null default '0', "attempts" int not null default 0, "last_error" text null, "available_at" timestamptz(3) not null, "created_at" timestamptz(3) not null)`,
    );
    this.addSql(
      `alter table "deletions" add constraint "deletions_resource_resource_id_unique" unique ("resource", "resource_id")`,
    );
    this.addSql(
      `create index "deletions_organization_id_resource_index" on "deletions" ("organization_id", "resource")`,
    );
    this.addSql(`create index "deletions_available_at_index" on "deletions" ("available_at")`);
  }

  override down(): void {
    this.addSql(`drop table "deletions"`);
  }
}
