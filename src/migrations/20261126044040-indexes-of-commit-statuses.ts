import { OnlineIndexMigration } from './online-index-migration.js';

/** Finds what a connection has to send, and the newest build with the same status. */
export class IndexesOfCommitStatuses20261126044040 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'commit_statuses_of_connection_index',
      table: 'commit_statuses',
      definition: `("connection_id", "of_step", "next_attempt_at") where "next_attempt_at" is not null`,
    },
    {
      name: 'commit_statuses_of_commit_index',
      table: 'commit_statuses',
      definition: `("connection_id", "commit", "context") where "connection_id" is not null`,
    },
  ];
}
