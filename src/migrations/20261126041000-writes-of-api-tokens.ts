import { ShortLockMigration } from './short-lock-migration.js';

/** When an API token last changed something, for reads on a replica that must show it. */
export class WritesOfApiTokens20261126041000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "api_tokens" add column "wrote_at" timestamptz(3) null`,
    down: `alter table "api_tokens" drop column "wrote_at"`,
  };
}
