import { ShortLockMigration } from './short-lock-migration.js';

/** The teams to which tests belong. */
export class OwnersOfTests20261128010010 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "suite_tests" add column "owners" text[] not null default '{}', add column "owners_at" timestamptz(3) null`,
    down: `alter table "suite_tests" drop column "owners", drop column "owners_at"`,
  };
}
