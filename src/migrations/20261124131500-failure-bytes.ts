import { Migration } from '@mikro-orm/migrations';

/** Size of the failures of a suite run; of runs from before only those that come are counted. */
export class FailureBytes20261124131500 extends Migration {
  override up(): void {
    this.addSql(`alter table "suite_runs" add column "failure_bytes" int not null default 0`);
  }

  override down(): void {
    this.addSql(`alter table "suite_runs" drop column "failure_bytes"`);
  }
}
