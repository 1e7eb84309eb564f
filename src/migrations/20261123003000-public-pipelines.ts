import { Migration } from '@mikro-orm/migrations';

/** Whether pipelines of an organization may be made public: so far all could. */
export class PublicPipelines20261123003000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "organizations" add column "allows_public_pipelines" boolean not null default true, add column "public_pipelines_enabled_at" timestamptz(3) null, add column "public_pipelines_enabled_by_id" uuid null`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "organizations" drop column "allows_public_pipelines", drop column "public_pipelines_enabled_at", drop column "public_pipelines_enabled_by_id"`,
    );
  }
}
