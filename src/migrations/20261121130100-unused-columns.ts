import { Migration } from '@mikro-orm/migrations';

/** Columns that nothing read, or nothing wrote. */
export class UnusedColumns20261121130100 extends Migration {
  override up(): void {
    this.addSql(`alter table "jobs" drop column "limited_at"`);
    this.addSql(`alter table "builds" drop column "failure_reason"`);
    this.addSql(`alter table "agents" drop column "last_job_passed_at"`);
    this.addSql(`alter table "commit_statuses" drop column "sent_state"`);
  }

  override down(): void {
    this.addSql(`alter table "commit_statuses" add column "sent_state" text null`);
    this.addSql(`alter table "agents" add column "last_job_passed_at" timestamptz(3) null`);
    this.addSql(`alter table "builds" add column "failure_reason" text null`);
    this.addSql(`alter table "jobs" add column "limited_at" timestamptz(3) null`);
  }
}
