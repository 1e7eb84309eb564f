import { Migration } from '@mikro-orm/migrations';

export class OrganizationInvitations20261122180000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "organization_invitations" ("id" uuid not null, "organization_id" uuid not null, "email" text not null, "role" text not null, "sso_mode" text not null, "teams" jsonb not null, "token_hash" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "expires_at" timestamptz(3) not null, "accepted_at" timestamptz(3) null, "accepted_by_id" uuid null, "revoked_at" timestamptz(3) null, "revoked_by_id" uuid null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "organization_invitations" add constraint "organization_invitations_token_hash_unique" unique ("token_hash")`,
    );
    this.addSql(
      `create index "organization_invitations_organization_id_id_index" on "organization_invitations" ("organization_id", "id")`,
    );
  }

  override down(): void {
    this.addSql(`drop table "organization_invitations"`);
  }
}
