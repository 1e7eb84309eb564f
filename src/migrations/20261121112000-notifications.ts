import { Migration } from '@mikro-orm/migrations';

/**
 * Outgoing webhooks with their notifications and deliveries, commit statuses, branch checks; `notify` of a build's
 * pipeline document.
 */
export class Notifications20261121112000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "notifications" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid null, "build_id" uuid null, "event" text not null, "payload" text not null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "notifications_created_at_index" on "notifications" ("created_at")`);
    this.addSql(
      `create table "notification_deliveries" ("id" uuid not null, "organization_id" uuid not null, "service_id" uuid null, "notification_id" uuid not null, "url" text not null, "receiver" text not null, "order_key" text not null, "sequence" int not null, "state" text not null, "attempts" int not null default 0, "next_attempt_at" timestamptz(3) not null, "leased_until_at" timestamptz(3) null, "response_status" int null, "response_body" text null, "last_error" text null, "duration_ms" int null, "redelivery_of_id" uuid null, "created_at" timestamptz(3) not null, "attempted_at" timestamptz(3) null, "delivered_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(
      `create index "notification_deliveries_due_index" on "notification_deliveries" ("next_attempt_at", "id") where "state" = 'pending'`,
    );
    this.addSql(
      `create index "notification_deliveries_order_index" on "notification_deliveries" ("receiver", "order_key", "sequence", "id") where "state" = 'pending'`,
    );
    this.addSql(
      `create index "notification_deliveries_service_id_id_index" on "notification_deliveries" ("service_id", "id")`,
    );
    this.addSql(
      `create index "notification_deliveries_notification_id_index" on "notification_deliveries" ("notification_id")`,
    );
    this.addSql(`create index "notification_deliveries_created_at_index" on "notification_deliveries" ("created_at")`);
    this.addSql(
      `create table "notification_services" ("id" uuid not null, "organization_id" uuid not null, "description" text not null, "enabled" boolean not null default true, "scope" text not null, "scope_ids" text[] not null default '{}', "branch_configuration" text null, "url" text not null, "sealed_token" text null, "token_mode" text not null, "events" text[] not null default '{}', "tls_verify" boolean not null default true, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "notification_services_organization_id_id_index" on "notification_services" ("organization_id", "id")`,
    );
    this.addSql(`alter table "builds" add "notify" jsonb not null default '[]'`);
    this.addSql(
      `create table "commit_statuses" ("build_id" uuid not null, "context" text not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "commit" text not null, "state" text not null, "description" text not null, "revision" int not null default 1, "sent_state" text null, "attempts" int not null default 0, "next_attempt_at" timestamptz(3) null, "last_error" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("build_id", "context"))`,
    );
    this.addSql(
      `create index "commit_statuses_due_index" on "commit_statuses" ("next_attempt_at") where "next_attempt_at" is not null`,
    );
    this.addSql(
      `create table "branch_checks" ("pipeline_id" uuid not null, "organization_id" uuid not null, "heads" jsonb null, "awaited" jsonb not null default '{}', "next_check_at" timestamptz(3) not null, "last_error" text null, "created_at" timestamptz(3) not null, primary key ("pipeline_id"))`,
    );
    this.addSql(`create index "branch_checks_next_check_at_index" on "branch_checks" ("next_check_at")`);
  }

  override down(): void {
    this.addSql(`drop table "branch_checks"`);
    this.addSql(`drop table "commit_statuses"`);
    this.addSql(`drop table "notification_deliveries"`);
    this.addSql(`drop table "notifications"`);
    this.addSql(`drop table "notification_services"`);
    this.addSql(`alter table "builds" drop column "notify"`);
  }
}
