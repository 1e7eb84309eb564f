import { Migration } from '@mikro-orm/migrations';

/** Webhook deliveries of source providers, the pull requests they report, and the connections to providers. */
export class WebhookDeliveries20261121110000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "pipeline_webhooks" ("pipeline_id" uuid not null, "organization_id" uuid not null, "secret" text null, "provider_connection_id" uuid null, "repository" text null, "external_id" text null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("pipeline_id"))`,
    );
    this.addSql(
      `create table "provider_connections" ("id" uuid not null, "organization_id" uuid not null, "provider" text not null, "host" text not null, "api_url" text not null, "token" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "provider_connections_organization_id_id_index" on "provider_connections" ("organization_id", "id")`,
    );
    this.addSql(
      `alter table "provider_connections" add constraint "provider_connections_organization_id_provider_host_unique" unique ("organization_id", "provider", "host")`,
    );
    this.addSql(
      `create table "pull_requests" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "number" text not null, "title" text null, "branch" text null, "base_branch" text null, "commit" text null, "head_repository" text null, "head_owner" text null, "head_repository_url" text null, "fork" boolean not null, "draft" boolean null, "labels" text[] not null default '{}', "closed" boolean not null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "pull_requests_pipeline_id_branch_index" on "pull_requests" ("pipeline_id", "branch")`);
    this.addSql(`create index "pull_requests_updated_at_index" on "pull_requests" ("updated_at")`);
    this.addSql(
      `alter table "pull_requests" add constraint "pull_requests_pipeline_id_number_unique" unique ("pipeline_id", "number")`,
    );
    this.addSql(
      `create table "webhook_deliveries" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "sender" text not null, "event" text not null, "delivery_id" text not null, "headers" jsonb not null, "payload" jsonb null, "outcome" text null, "reason" text null, "decisions" jsonb not null default '[]', "attempts" int not null default 0, "created_at" timestamptz(3) not null, "processed_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "webhook_deliveries_pipeline_id_id_index" on "webhook_deliveries" ("pipeline_id", "id")`);
    this.addSql(`create index "webhook_deliveries_created_at_index" on "webhook_deliveries" ("created_at")`);
    this.addSql(
      `create index "webhook_deliveries_pending_index" on "webhook_deliveries" ("pipeline_id", "id") where "processed_at" is null`,
    );
    this.addSql(
      `alter table "webhook_deliveries" add constraint "webhook_deliveries_pipeline_id_delivery_id_event_unique" unique ("pipeline_id", "delivery_id", "event")`,
    );
    this.addSql(
      `create table "webhook_delivery_builds" ("build_id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "delivery_id" uuid not null, primary key ("build_id"))`,
    );
    this.addSql(
      `create index "webhook_delivery_builds_delivery_id_index" on "webhook_delivery_builds" ("delivery_id")`,
    );
    this.addSql(
      `create index "webhook_delivery_builds_pipeline_id_index" on "webhook_delivery_builds" ("pipeline_id")`,
    );
    this.addSql(
      `create table "pipeline_triggers" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "kind" text not null, "description" text null, "branch" text not null, "commit" text not null, "message" text not null, "env" jsonb not null default '{}', "enabled" boolean not null default true, "token_hash" text not null, "secret" text null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "pipeline_triggers" add constraint "pipeline_triggers_token_hash_unique" unique ("token_hash")`,
    );
    this.addSql(`create index "pipeline_triggers_pipeline_id_id_index" on "pipeline_triggers" ("pipeline_id", "id")`);
    this.addSql(
      `create table "trigger_usage" ("organization_id" uuid not null, "started_at" timestamptz(3) not null, "count" int not null, primary key ("organization_id"))`,
    );
  }

  override down(): void {
    this.addSql(`drop table if exists "trigger_usage" cascade`);
    this.addSql(`drop table if exists "pipeline_triggers" cascade`);
    this.addSql(`drop table if exists "webhook_delivery_builds" cascade`);
    this.addSql(`drop table if exists "webhook_deliveries" cascade`);
    this.addSql(`drop table if exists "pull_requests" cascade`);
    this.addSql(`drop table if exists "provider_connections" cascade`);
    this.addSql(`drop table if exists "pipeline_webhooks" cascade`);
  }
}
