import { Migration } from '@mikro-orm/migrations';

/** How much each connection may send. */
export class StatesOfConnections20261126044020 extends Migration {
  override up(): void {
    this.addSql(
      `create table "provider_connection_states" ("connection_id" uuid not null primary key, "organization_id" uuid not null, "allowance" double precision not null, "refilled_at" timestamptz(3) not null, "paused_until_at" timestamptz(3) null, "failures" int not null default 0, "created_at" timestamptz(3) not null)`,
    );
  }

  override down(): void {
    this.addSql(`drop table "provider_connection_states"`);
  }
}
