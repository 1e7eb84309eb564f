import { OnlineIndexMigration } from './online-index-migration.js';

/** Index for agents whose time is not in rollups yet. */
export class IndexOfUncountedAgents20261129130010 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'agents_uncounted_index',
      table: 'agents',
      definition: '("id") where "uncounted_since_at" is not null',
    },
  ];
}
