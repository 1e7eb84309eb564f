import { Migration } from '@mikro-orm/migrations';

/** Outcomes that a notification service leaves out. */
export class NotifiedStates20261122210000 extends Migration {
  override up(): void {
    this.addSql(`alter table "notification_services" add column "withheld_states" text[] not null default '{}'`);
  }

  override down(): void {
    this.addSql(`alter table "notification_services" drop column "withheld_states"`);
  }
}
