import { ShortLockMigration } from './short-lock-migration.js';

/** Tests that have passed and failed on one commit. */
export class FlakyTests20261127101000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "suite_tests" add column "flaky_since" timestamptz(3) null, add column "flaky_at" timestamptz(3) null, add column "flaky_resolved_at" timestamptz(3) null, add column "flaky_commit_sha" text null, add column "flaky_count" int not null default 0`,
    down: `alter table "suite_tests" drop column "flaky_since", drop column "flaky_at", drop column "flaky_resolved_at", drop column "flaky_commit_sha", drop column "flaky_count"`,
  };
}
