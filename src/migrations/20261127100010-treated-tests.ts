import { OnlineIndexMigration } from './online-index-migration.js';

/** Finds the few tests of a suite that are muted or skipped. */
export class TreatedTests20261127100010 extends OnlineIndexMigration {
  readonly indexes = [
    {
      name: 'suite_tests_treated_index',
      table: 'suite_tests',
      definition: `("suite_id", "id") where "state" <> 'enabled'`,
    },
  ];
}
