import { Migration } from '@mikro-orm/migrations';

/** Points that replicas share; see entities/installation/rate-limit-count.ts for why the table is unlogged. */
export class GraphqlPointCounts20261126041010 extends Migration {
  override up(): void {
    this.addSql(
      `create unlogged table "graphql_point_counts" ("subject_id" uuid not null, "window_start" timestamptz(3) not null, "points" int not null, primary key ("subject_id"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "graphql_point_counts" cascade`);
  }
}
