import { Migration } from '@mikro-orm/migrations';

/** Sizes are counted beside the pass of retention. */
export class CountOfSizes20261127060000 extends Migration {
  override up(): void {
    this.addSql(`alter table "retention_passes" add column "counted" jsonb null`);
    this.addSql(`insert into "retention_passes" ("name") values ('sizes')`);
  }

  override down(): void {
    this.addSql(`delete from "retention_passes" where "name" = 'sizes'`);
    this.addSql(`alter table "retention_passes" drop column "counted"`);
  }
}
