import { Migration } from '@mikro-orm/migrations';

export class OidcKeys20261122084000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "oidc_keys" ("id" text not null, "sequence" int not null, "public_jwk" jsonb not null, "sealed_private_key" text not null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "oidc_keys" add constraint "oidc_keys_sequence_unique" unique ("sequence")`);
  }

  override down(): void {
    this.addSql(`drop table "oidc_keys"`);
  }
}
