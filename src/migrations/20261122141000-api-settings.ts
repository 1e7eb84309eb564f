import { Migration } from '@mikro-orm/migrations';

/** What an organization asks of the API tokens that have access to it. */
export class ApiSettings20261122141000 extends Migration {
  override up(): void {
    this.addSql(
      `alter table "organizations" add column "allowed_api_ip_addresses" text null, add column "revoke_inactive_tokens_after_days" int null, add column "restrict_user_api_token_creation" boolean not null default false`,
    );
  }

  override down(): void {
    this.addSql(
      `alter table "organizations" drop column "allowed_api_ip_addresses", drop column "revoke_inactive_tokens_after_days", drop column "restrict_user_api_token_creation"`,
    );
  }
}
