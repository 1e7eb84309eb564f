import { Migration } from '@mikro-orm/migrations';

/** Default branch of pipelines that are created without one. */
export class DefaultBranch20261122211000 extends Migration {
  override up(): void {
    this.addSql(`alter table "organizations" add column "default_branch" text null`);
  }

  override down(): void {
    this.addSql(`alter table "organizations" drop column "default_branch"`);
  }
}
