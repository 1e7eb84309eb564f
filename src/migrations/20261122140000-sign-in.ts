import { Migration } from '@mikro-orm/migrations';

export class SignIn20261122140000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "sessions" ("id" uuid not null, "user_id" uuid not null, "method" text not null, "token_hash" text not null, "previous_token_hash" text null, "previous_expires_at" timestamptz(3) null, "rotated_at" timestamptz(3) not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "last_used_at" timestamptz(3) not null, "ip_address" text null, "user_agent" text null, primary key ("id"))`,
    );
    this.addSql(`alter table "sessions" add constraint "sessions_token_hash_unique" unique ("token_hash")`);
    this.addSql(
      `alter table "sessions" add constraint "sessions_previous_token_hash_unique" unique ("previous_token_hash")`,
    );
    this.addSql(`create index "sessions_user_id_id_index" on "sessions" ("user_id", "id")`);
    this.addSql(`create index "sessions_expires_at_index" on "sessions" ("expires_at")`);
    this.addSql(
      `create table "sign_in_addresses" ("token_hash" text not null, "user_id" uuid not null, "expires_at" timestamptz(3) not null, primary key ("token_hash"))`,
    );
    this.addSql(
      `create unlogged table "sign_in_attempts" ("key" text not null, "points" int not null, "expire" bigint null, primary key ("key"))`,
    );
    this.addSql(
      `create table "sso_domains" ("organization_id" uuid not null, "domain" text not null, "role" text not null, primary key ("organization_id", "domain"))`,
    );
    this.addSql(`create index "sso_domains_domain_index" on "sso_domains" ("domain")`);
    this.addSql(`alter table "api_tokens" add column "last_used_at" timestamptz(3) null`);
    this.addSql(`alter table "api_tokens" add column "last_used_ip_address" text null`);
  }

  override down(): void {
    this.addSql(`alter table "api_tokens" drop column "last_used_ip_address"`);
    this.addSql(`alter table "api_tokens" drop column "last_used_at"`);
    this.addSql(`drop table "sso_domains"`);
    this.addSql(`drop table "sign_in_attempts"`);
    this.addSql(`drop table "sign_in_addresses"`);
    this.addSql(`drop table "sessions"`);
  }
}
