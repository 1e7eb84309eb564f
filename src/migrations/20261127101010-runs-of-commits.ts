import { OnlineIndexMigration } from './online-index-migration.js';

/** Finds the runs of a commit, and the tests of a suite that count as flaky. */
export class RunsOfCommits20261127101010 extends OnlineIndexMigration {
  readonly indexes = [
    {
      name: 'suite_runs_commit_index',
      table: 'suite_runs',
      definition: `("suite_id", "commit_sha", "id") where "commit_sha" is not null`,
    },
    {
      name: 'suite_tests_flaky_index',
      table: 'suite_tests',
      definition: `("suite_id", "id") where "flaky_since" is not null`,
    },
  ];
}
