import { ShortLockMigration } from './short-lock-migration.js';

/** Which ends of their own builds people get by mail. */
export class BuildMail20261127190000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "users" add column "build_mail" text not null default 'never'`,
    down: `alter table "users" drop column "build_mail"`,
  };
}
