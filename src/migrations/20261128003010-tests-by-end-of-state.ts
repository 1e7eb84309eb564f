import { OnlineIndexMigration } from './online-index-migration.js';

/** The tests whose state ends by itself, the first to end first. */
export class TestsByEndOfState20261128003010 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'suite_tests_state_until_index',
      table: 'suite_tests',
      definition: '("state_until") where "state_until" is not null',
    },
  ];
}
