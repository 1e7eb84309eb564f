import { Migration } from '@mikro-orm/migrations';

export class KeysAndListening20261121130000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "secret_keys" ("id" text not null, "created_at" timestamptz(3) not null, "used_at" timestamptz(3) null, primary key ("id"))`,
    );

    this.addSql(`alter table "pipelines" add column "webhook_token_hash" text null`);
    this.addSql(`alter table "pipelines" add column "webhook_token_sealed" text null`);
    this.addSql(`alter table "pipelines" add column "badge_token_hash" text null`);
    this.addSql(`alter table "pipelines" add column "badge_token_sealed" text null`);
    // The tokens themselves are sealed, and these columns emptied, at the first start: a migration has no key.
    this.addSql(
      `update "pipelines" set "webhook_token_hash" = encode(sha256(convert_to("webhook_token", 'UTF8')), 'hex'), "badge_token_hash" = encode(sha256(convert_to("badge_token", 'UTF8')), 'hex')`,
    );
    this.addSql(`alter table "pipelines" alter column "webhook_token_hash" set not null`);
    this.addSql(`alter table "pipelines" alter column "badge_token_hash" set not null`);
    this.addSql(
      `alter table "pipelines" add constraint "pipelines_webhook_token_hash_unique" unique ("webhook_token_hash")`,
    );
    this.addSql(
      `alter table "pipelines" add constraint "pipelines_badge_token_hash_unique" unique ("badge_token_hash")`,
    );
    this.addSql(`alter table "pipelines" drop constraint "pipelines_webhook_token_unique"`);
    this.addSql(`alter table "pipelines" drop constraint "pipelines_badge_token_unique"`);
    this.addSql(`alter table "pipelines" alter column "webhook_token" drop not null`);
    this.addSql(`alter table "pipelines" alter column "badge_token" drop not null`);

    this.addSql(
      `create table "listening_clocks" ("name" text not null, "listened_ms" bigint not null default '0', "looked_at" timestamptz(3) null, "shifted_ms" bigint not null default '0', "shifted_by_ms" bigint not null default '0', primary key ("name"))`,
    );
    this.addSql(`insert into "listening_clocks" ("name") values ('agents')`);
    this.addSql(`alter table "agents" add column "heard_ms" bigint not null default '0'`);
    this.addSql(
      `create index "agents_silent_index" on "agents" ("heard_ms") where "connection_state" in ('never_connected', 'connected', 'stopping')`,
    );
  }

  override down(): void {
    this.addSql(`drop index "agents_silent_index"`);
    this.addSql(`alter table "agents" drop column "heard_ms"`);
    this.addSql(`drop table "listening_clocks"`);
    for (const name of ['webhook', 'badge']) {
      // A sealed token cannot be opened here: its pipeline gets another one.
      this.addSql(
        `update "pipelines" set "${name}_token" = substr(encode(sha256(convert_to(gen_random_uuid()::text, 'UTF8')), 'hex'), 1, 50) where "${name}_token" is null`,
      );
      this.addSql(`alter table "pipelines" alter column "${name}_token" set not null`);
      this.addSql(`alter table "pipelines" add constraint "pipelines_${name}_token_unique" unique ("${name}_token")`);
      this.addSql(`alter table "pipelines" drop column "${name}_token_hash"`);
      this.addSql(`alter table "pipelines" drop column "${name}_token_sealed"`);
    }
    this.addSql(`drop table "secret_keys"`);
  }
}
