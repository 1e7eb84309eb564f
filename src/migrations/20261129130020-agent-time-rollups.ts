import { Migration } from '@mikro-orm/migrations';

/** Rollups of the time of agents. */
export class AgentTimeRollups20261129130020 extends Migration {
  override up(): void {
    this.addSql(
      `create table "agent_time_rollups" ("organization_id" uuid not null, "span" text not null, "begins_at" timestamptz(3) not null, "cluster_queue_id" uuid not null, "cluster_id" uuid not null, "connected_ms" bigint not null, "busy_ms" bigint not null, primary key ("organization_id", "span", "begins_at", "cluster_queue_id"))`,
    );
    this.addSql(
      `create index "agent_time_rollups_cluster_id_cluster_queue_id_index" on "agent_time_rollups" ("cluster_id", "cluster_queue_id")`,
    );
    this.addSql(`create index "agent_time_rollups_span_begins_at_index" on "agent_time_rollups" ("span", "begins_at")`);
  }

  override down(): void {
    this.addSql(`drop table "agent_time_rollups"`);
  }
}
