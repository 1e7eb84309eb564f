import { ShortLockMigration } from './short-lock-migration.js';

/** The span of whoever created a build, where it was named. */
export class TraceOfBuilds20261126043000 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "builds" add column "traceparent" text null`,
    down: `alter table "builds" drop column "traceparent"`,
  };
}
