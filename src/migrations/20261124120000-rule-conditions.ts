import { Migration } from '@mikro-orm/migrations';

/** Conditions of rules: so far a rule allowed always. */
export class RuleConditions20261124120000 extends Migration {
  override up(): void {
    this.addSql(`alter table "rules" add column "conditions" text[] not null default '{}'`);
  }

  override down(): void {
    this.addSql(`alter table "rules" drop column "conditions"`);
  }
}
