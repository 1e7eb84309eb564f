import { Migration } from '@mikro-orm/migrations';

/**
 * What replicas of releases before `20261121130000-keys-and-listening` and `20261121130100-unused-columns` write, so
 * that they go on beside the present ones until they are replaced (docs/decisions/0023). Nothing else reads or writes
 * it. It may be dropped by the release after this one.
 */
export class ColumnsOfFormerReleases20261124081000 extends Migration {
  override up(): void {
    this.addSql(`alter table "jobs" add column "limited_at" timestamptz(3) null`);
    this.addSql(`alter table "agents" add column "last_job_passed_at" timestamptz(3) null`);
    this.addSql(`alter table "commit_statuses" add column "sent_state" text null`);
    this.addSql(`create function "hash_url_tokens"() returns trigger language plpgsql as $body$
      begin
        new.webhook_token_hash := coalesce(new.webhook_token_hash, encode(sha256(convert_to(new.webhook_token, 'UTF8')), 'hex'));
        new.badge_token_hash := coalesce(new.badge_token_hash, encode(sha256(convert_to(new.badge_token, 'UTF8')), 'hex'));
        return new;
      end $body$`);
    this.addSql(
      `create trigger "hash_url_tokens" before insert on "pipelines" for each row when (new.webhook_token_hash is null or new.badge_token_hash is null) execute function "hash_url_tokens"()`,
    );
  }

  override down(): void {
    this.addSql(`drop trigger "hash_url_tokens" on "pipelines"`);
    this.addSql(`drop function "hash_url_tokens"()`);
    this.addSql(`alter table "commit_statuses" drop column "sent_state"`);
    this.addSql(`alter table "agents" drop column "last_job_passed_at"`);
    this.addSql(`alter table "jobs" drop column "limited_at"`);
  }
}
