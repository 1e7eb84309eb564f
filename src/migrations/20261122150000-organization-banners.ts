import { Migration } from '@mikro-orm/migrations';

export class OrganizationBanners20261122150000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "organization_banners" ("id" uuid not null, "organization_id" uuid not null, "message" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "organization_banners" add constraint "organization_banners_organization_id_unique" unique ("organization_id")`,
    );
  }

  override down(): void {
    this.addSql(`drop table "organization_banners"`);
  }
}
