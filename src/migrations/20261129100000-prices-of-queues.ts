import { closeUnusedConnections } from './close-unused-connections.js';
import { ShortLockMigration } from './short-lock-migration.js';

/** What an hour of an agent of a queue costs. */
export class PricesOfQueues20261129100000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "cluster_queues" add column "price_per_agent_hour" double precision null`,
    down: `alter table "cluster_queues" drop column "price_per_agent_hour"`,
  };

  override up(): void {
    super.up();
    this.addSql(closeUnusedConnections);
  }
}
