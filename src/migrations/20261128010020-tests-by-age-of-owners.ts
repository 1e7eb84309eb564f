import { OnlineIndexMigration } from './online-index-migration.js';

/** The tests of a suite whose owners have to be found again. */
export class TestsByAgeOfOwners20261128010020 extends OnlineIndexMigration {
  override readonly indexes = [
    {
      name: 'suite_tests_suite_id_owners_at_index',
      table: 'suite_tests',
      definition: '("suite_id", "owners_at")',
    },
  ];
}
