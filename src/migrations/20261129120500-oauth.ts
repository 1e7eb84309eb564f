import { Migration } from '@mikro-orm/migrations';

/** Programs that ask people for access, and the answers. */
export class Oauth20261129120500 extends Migration {
  override up(): void {
    this.addSql(
      `create table "oauth_clients" ("id" uuid not null primary key, "name" text not null, "redirect_uris" text[] not null default '{}', "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null)`,
    );
    this.addSql(`create index "oauth_clients_expires_at_index" on "oauth_clients" ("expires_at")`);
    this.addSql(
      `create table "oauth_grants" ("id" uuid not null primary key, "kind" text not null, "state" text not null, "client" text not null, "client_name" text not null, "secret_hash" text not null, "user_code_hash" text null, "scopes" text[] not null default '{}', "user_id" uuid null, "organizations" text[] not null default '{}', "redirect_uri" text null, "code_challenge" text null, "resource" text null, "api_token_id" uuid null, "polled_at" timestamptz(3) null, "poll_seconds" int not null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, constraint "oauth_grants_secret_hash_unique" unique ("secret_hash"), constraint "oauth_grants_user_code_hash_unique" unique ("user_code_hash"))`,
    );
    this.addSql(`create index "oauth_grants_expires_at_index" on "oauth_grants" ("expires_at")`);
    this.addSql(`create index "oauth_grants_user_id_expires_at_index" on "oauth_grants" ("user_id", "expires_at")`);
  }

  override down(): void {
    this.addSql(`drop table "oauth_grants"`);
    this.addSql(`drop table "oauth_clients"`);
  }
}
