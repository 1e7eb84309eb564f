import { ShortLockMigration } from './short-lock-migration.js';

/** Whether a step of a build has `notify`. */
export class StepsThatNotify20261126045002 extends ShortLockMigration {
  protected override readonly change = {
    up: `alter table "builds" add column "step_notify" boolean not null default false`,
    down: `alter table "builds" drop column "step_notify"`,
  };
}
