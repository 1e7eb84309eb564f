import { Migration } from '@mikro-orm/migrations';

/** Filters of logs: which trigrams each part of a merged log has. */
export class LogFilters20261129090000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "log_filters" ("job_id" uuid not null, "start_offset" bigint not null, "organization_id" uuid not null, "size" int not null, "first_line" int not null, "trigrams" bytea not null, "log_entries" int null, "log_bytes" bigint null, primary key ("job_id", "start_offset"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table "log_filters"`);
  }
}
