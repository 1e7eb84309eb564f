import { Migration } from '@mikro-orm/migrations';

/** The row that the work on filters of old logs is leased by. */
export class RowOfLogFilters20261129090030 extends Migration {
  override up(): void {
    this.addSql(`insert into "retention_passes" ("name") values ('log-filters')`);
  }

  override down(): void {
    this.addSql(`delete from "retention_passes" where "name" = 'log-filters'`);
  }
}
