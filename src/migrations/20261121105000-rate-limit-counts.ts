import { Migration } from '@mikro-orm/migrations';

/** Counts that replicas share; see entities/installation/rate-limit-count.ts for why it is unlogged. */
export class RateLimitCounts20261121105000 extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table "rate_limit_counts" ("subject_id" uuid not null, "window_start" timestamptz(3) not null, "requests" int not null, primary key ("subject_id"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "rate_limit_counts" cascade`);
  }
}
