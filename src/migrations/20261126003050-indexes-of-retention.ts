import { OnlineIndexMigration } from './online-index-migration.js';

/** Indexes for the last passed build of a branch, and for messages that were set aside. */
export class IndexesOfRetention20261126003050 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'builds_passed_of_branch_index',
      table: 'builds',
      definition: `("pipeline_id", "branch", "number") where "state" = 'passed'`,
    },
    {
      name: 'outbox_messages_failed_index',
      table: 'outbox_messages',
      definition: '("failed_at") where "failed_at" is not null',
    },
  ];
}
