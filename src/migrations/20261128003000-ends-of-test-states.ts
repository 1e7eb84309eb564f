import { ShortLockMigration } from './short-lock-migration.js';

/** When a test that was muted or skipped for a time counts again. */
export class EndsOfTestStates20261128003000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "suite_tests" add column "state_until" timestamptz(3) null`,
    down: `alter table "suite_tests" drop column "state_until"`,
  };
}
