import { Migration } from '@mikro-orm/migrations';

/** The row that the count of sizes is leased by. */
export class RowOfTheCount20261127060001 extends Migration {
  override up(): void {
    this.addSql(`insert into "retention_passes" ("name") values ('sizes')`);
  }

  override down(): void {
    this.addSql(`delete from "retention_passes" where "name" = 'sizes'`);
  }
}
