import { Migration } from '@mikro-orm/migrations';

export class StepUpdates20261122083000 extends Migration {
  override up(): void {
    this.addSql(`alter table "steps" add column "update_uuids" text[] not null default '{}'`);
    this.addSql(`alter table "jobs" add column "initial_timeout_in_minutes" int null`);
  }

  override down(): void {
    this.addSql(`alter table "jobs" drop column "initial_timeout_in_minutes"`);
    this.addSql(`alter table "steps" drop column "update_uuids"`);
  }
}
