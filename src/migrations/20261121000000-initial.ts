import { Migration } from '@mikro-orm/migrations';

/** The first schema: every table of `entities/registry.ts`. */
export class Initial20261121000000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "agents" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid null, "cluster_queue_id" uuid null, "agent_token_id" uuid not null, "session_token_hash" text null, "name" text not null, "hostname" text null, "ip_address" text null, "os" text null, "arch" text null, "version" text null, "build" text null, "user_agent" text null, "pid" text null, "machine_id" text null, "features" text[] not null default '{}', "meta_data" text[] not null default '{}', "priority" int null, "script_eval_enabled" boolean not null default true, "ignore_in_dispatches" boolean not null default false, "connection_state" text not null, "stop_forced_by_id" uuid null, "stopped_gracefully_by_id" uuid null, "paused_by_id" uuid null, "paused_note" text null, "paused_timeout_in_minutes" int null, "created_at" timestamptz(3) not null, "connected_at" timestamptz(3) null, "disconnected_at" timestamptz(3) null, "lost_at" timestamptz(3) null, "stopped_at" timestamptz(3) null, "stop_forced_at" timestamptz(3) null, "stopped_gracefully_at" timestamptz(3) null, "heartbeat_at" timestamptz(3) not null, "pinged_at" timestamptz(3) null, "paused_at" timestamptz(3) null, "last_job_finished_at" timestamptz(3) null, "last_job_passed_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`alter table "agents" add constraint "agents_session_token_hash_unique" unique ("session_token_hash")`);
    this.addSql(`create index "agents_organization_id_id_index" on "agents" ("organization_id", "id")`);
    this.addSql(
      `create index "agents_present_index" on "agents" ("organization_id", "id") where "connection_state" in ('connected', 'stopping')`,
    );
    this.addSql(
      `create index "agents_live_index" on "agents" ("cluster_queue_id", "heartbeat_at") where "connection_state" in ('never_connected', 'connected', 'stopping')`,
    );
    this.addSql(
      `create table "agent_tokens" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid not null, "description" text not null, "token_hash" text not null, "allowed_ip_addresses" text null, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "agent_tokens_organization_id_index" on "agent_tokens" ("organization_id")`);
    this.addSql(`alter table "agent_tokens" add constraint "agent_tokens_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index "agent_tokens_cluster_id_id_index" on "agent_tokens" ("cluster_id", "id")`);
    this.addSql(
      `create table "api_tokens" ("id" uuid not null, "user_id" uuid not null, "description" text not null, "token_hash" text not null, "scopes" text[] not null default '{}', "all_organizations" boolean not null default false, "expires_at" timestamptz(3) null, "revoked_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "api_tokens" add constraint "api_tokens_token_hash_unique" unique ("token_hash")`);
    this.addSql(`create index "api_tokens_user_id_description_index" on "api_tokens" ("user_id", "description")`);
    this.addSql(
      `create table "api_token_organizations" ("api_token_id" uuid not null, "organization_id" uuid not null, primary key ("api_token_id", "organization_id"))`,
    );
    this.addSql(
      `create table "audit_events" ("id" uuid not null, "organization_id" uuid null, "operation" text not null, "actor_type" text not null, "actor_id" uuid null, "api_token_id" uuid null, "subject" text null, "subject_id" uuid null, "data" jsonb null, "request_id" text null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "audit_events_organization_id_id_index" on "audit_events" ("organization_id", "id")`);
    this.addSql(
      `create table "builds" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "number" int not null, "state" text not null, "failing" boolean not null default false, "blocked_state" text null, "cancel_reason" text null, "canceled_by_id" uuid null, "message" text null, "commit" text not null, "branch" text not null, "tag" text null, "env" jsonb not null default '{}', "pipeline_env" jsonb not null default '{}', "source" text not null, "creator_id" uuid null, "author" jsonb null, "pull_request_id" text null, "pull_request_base_branch" text null, "pull_request_repository" text null, "pull_request_labels" text[] not null default '{}', "pull_request_draft" boolean null, "clean_checkout" boolean not null default false, "commit_resolved" boolean not null default false, "ignore_pipeline_branch_filters" boolean not null default false, "rebuilt_from_id" uuid null, "triggered_from_job_id" uuid null, "trigger_depth" int not null default 0, "failure_reason" text null, "event_sequence" int not null default 0, "created_at" timestamptz(3) not null, "scheduled_at" timestamptz(3) null, "started_at" timestamptz(3) null, "failing_at" timestamptz(3) null, "cancel_requested_at" timestamptz(3) null, "canceled_at" timestamptz(3) null, "finished_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "builds_organization_id_id_index" on "builds" ("organization_id", "id")`);
    this.addSql(`create index "builds_pipeline_id_id_index" on "builds" ("pipeline_id", "id")`);
    this.addSql(`create index "builds_pipeline_id_branch_id_index" on "builds" ("pipeline_id", "branch", "id")`);
    this.addSql(`create index "builds_pipeline_id_commit_id_index" on "builds" ("pipeline_id", "commit", "id")`);
    this.addSql(
      `create index "builds_organization_id_creator_id_id_index" on "builds" ("organization_id", "creator_id", "id")`,
    );
    this.addSql(`create index "builds_triggered_from_job_id_index" on "builds" ("triggered_from_job_id")`);
    this.addSql(`create index "builds_rebuilt_from_id_index" on "builds" ("rebuilt_from_id")`);
    this.addSql(
      `create index "builds_unfinished_index" on "builds" ("pipeline_id", "state") where "state" in ('creating', 'scheduled', 'running', 'failing', 'blocked', 'canceling')`,
    );
    this.addSql(
      `create index "builds_unfinished_id_index" on "builds" ("id") where "state" in ('creating', 'scheduled', 'running', 'failing', 'blocked', 'canceling')`,
    );
    this.addSql(
      `alter table "builds" add constraint "builds_pipeline_id_number_unique" unique ("pipeline_id", "number")`,
    );
    this.addSql(
      `create table "build_meta_data" ("build_id" uuid not null, "key" text not null, "organization_id" uuid not null, "value" text not null, primary key ("build_id", "key"))`,
    );
    this.addSql(
      `create index "build_meta_data_organization_id_key_index" on "build_meta_data" ("organization_id", "key")`,
    );
    this.addSql(
      `create table "clusters" ("id" uuid not null, "organization_id" uuid not null, "name" text not null, "description" text null, "emoji" text null, "color" text null, "default_queue_id" uuid null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "clusters" add constraint "clusters_organization_id_name_unique" unique ("organization_id", "name")`,
    );
    this.addSql(
      `create table "cluster_queues" ("id" uuid not null, "organization_id" uuid not null, "cluster_id" uuid not null, "key" text not null, "description" text null, "retry_agent_affinity" text not null default 'prefer-warmest', "dispatch_paused_at" timestamptz(3) null, "dispatch_paused_by_id" uuid null, "dispatch_paused_note" text null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "cluster_queues_organization_id_index" on "cluster_queues" ("organization_id")`);
    this.addSql(
      `alter table "cluster_queues" add constraint "cluster_queues_cluster_id_key_unique" unique ("cluster_id", "key")`,
    );
    this.addSql(
      `create table "concurrency_groups" ("organization_id" uuid not null, "name" text not null, primary key ("organization_id", "name"))`,
    );
    this.addSql(
      `create table "events" ("id" uuid not null, "organization_id" uuid not null, "subject" text not null, "subject_id" uuid not null, "pipeline_id" uuid null, "build_id" uuid null, "job_id" uuid null, "agent_id" uuid null, "type" text not null, "from_state" text null, "to_state" text null, "reason" text null, "actor_type" text not null, "actor_id" uuid null, "data" jsonb null, "sequence" int not null, "request_id" text null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "events_build_id_sequence_index" on "events" ("build_id", "sequence")`);
    this.addSql(`create index "events_job_id_id_index" on "events" ("job_id", "id")`);
    this.addSql(`create index "events_organization_id_id_index" on "events" ("organization_id", "id")`);
    this.addSql(
      `create table "idempotency_keys" ("api_token_id" uuid not null, "key" text not null, "operation" text not null, "fingerprint" text not null, "result" jsonb null, "reply_status" int null, "reply_body" text null, "created_at" timestamptz(3) not null, primary key ("api_token_id", "key"))`,
    );
    this.addSql(`create index "idempotency_keys_created_at_index" on "idempotency_keys" ("created_at")`);
    this.addSql(
      `create table "jobs" ("id" uuid not null, "organization_id" uuid not null, "pipeline_id" uuid not null, "build_id" uuid not null, "step_id" uuid not null, "type" text not null, "position" int not null, "state" text not null, "passed" boolean not null default false, "soft_failed" boolean not null default false, "label" text null, "command" text null, "env" jsonb not null default '{}', "plugins" jsonb null, "agent_query_rules" text[] not null default '{}', "artifact_paths" text null, "priority" int not null default 0, "timeout_in_minutes" int null, "exit_status" int null, "signal" text null, "signal_reason" text null, "broken_reason" text null, "promised_exit_status" int null, "parallel_group_index" int null, "parallel_group_total" int null, "matrix" jsonb null, "soft_fail" jsonb null, "cluster_id" uuid null, "cluster_queue_id" uuid null, "agent_id" uuid null, "attempt" int not null default 0, "concurrency_group" text null, "concurrency_limit" int null, "concurrency_method" text not null default 'ordered', "retried" boolean not null default false, "retried_in_job_id" uuid null, "retry_source_id" uuid null, "retries_count" int null, "retry_type" text null, "retried_by_id" uuid null, "retry_rule_uses" jsonb not null default '[]', "async" boolean not null default false, "triggered_build_id" uuid null, "unblocked_by_id" uuid null, "canceled_by_id" uuid null, "log_size" bigint not null default '0', "chunks_failed_count" int not null default 0, "created_at" timestamptz(3) not null, "scheduled_at" timestamptz(3) null, "concurrency_queued_at" timestamptz(3) null, "limited_at" timestamptz(3) null, "runnable_at" timestamptz(3) null, "assigned_at" timestamptz(3) null, "accepted_at" timestamptz(3) null, "started_at" timestamptz(3) null, "finished_at" timestamptz(3) null, "expired_at" timestamptz(3) null, "canceled_at" timestamptz(3) null, "unblocked_at" timestamptz(3) null, "promised_exit_status_at" timestamptz(3) null, "deadline_at" timestamptz(3) null, "log_deleted_at" timestamptz(3) null, "log_compacted_at" timestamptz(3) null, primary key ("id"))`,
    );
    this.addSql(`create index "jobs_build_id_position_index" on "jobs" ("build_id", "position")`);
    this.addSql(`create index "jobs_step_id_index" on "jobs" ("step_id")`);
    this.addSql(`create index "jobs_organization_id_id_index" on "jobs" ("organization_id", "id")`);
    this.addSql(`create index "jobs_pipeline_id_id_index" on "jobs" ("pipeline_id", "id")`);
    this.addSql(`create index "jobs_agent_id_id_index" on "jobs" ("agent_id", "id")`);
    this.addSql(
      `create index "jobs_dispatch_index" on "jobs" ("organization_id", "cluster_queue_id", "priority" desc, "scheduled_at", "position", "id") where "state" = 'scheduled' and "type" = 'command'`,
    );
    this.addSql(
      `create index "jobs_dispatch_rules_index" on "jobs" ("organization_id", "cluster_queue_id", hash_array_extended("agent_query_rules", 0), "priority" desc, "scheduled_at", "position", "id") where "state" = 'scheduled' and "type" = 'command'`,
    );
    this.addSql(
      `create unique index "jobs_held_by_agent_unique" on "jobs" ("agent_id") where "state" in ('assigned', 'accepted', 'running', 'canceling', 'timing_out')`,
    );
    this.addSql(
      `create index "jobs_unfinished_index" on "jobs" ("pipeline_id", "state") where "state" in ('pending', 'waiting', 'blocked', 'unblocked', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out')`,
    );
    this.addSql(
      `create index "jobs_concurrency_index" on "jobs" ("organization_id", "concurrency_group", "concurrency_queued_at") where "concurrency_group" is not null and "state" in ('waiting', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out')`,
    );
    this.addSql(
      `create index "jobs_open_triggers_index" on "jobs" ("runnable_at") where "type" = 'trigger' and "state" in ('scheduled', 'running')`,
    );
    this.addSql(`create index "jobs_deadline_index" on "jobs" ("deadline_at") where "deadline_at" is not null`);
    this.addSql(
      `create table "log_chunks" ("job_id" uuid not null, "sequence" int not null, "organization_id" uuid not null, "start_offset" bigint not null, "size" int not null, "stored_key" text not null, "stored_size" int not null, primary key ("job_id", "sequence"))`,
    );
    this.addSql(
      `create index "log_chunks_job_id_start_offset_sequence_index" on "log_chunks" ("job_id", "start_offset", "sequence")`,
    );
    this.addSql(
      `create table "log_header_times" ("job_id" uuid not null, "header_index" int not null, "organization_id" uuid not null, "nanoseconds" text not null, primary key ("job_id", "header_index"))`,
    );
    this.addSql(
      `create table "log_usage" ("job_id" uuid not null, "organization_id" uuid not null, "entries" int not null, "bytes" bigint not null, primary key ("job_id"))`,
    );
    this.addSql(
      `create table "organizations" ("id" uuid not null, "slug" text not null, "name" text not null, "plan" text not null default 'standard', "teams_enabled" boolean not null default false, "default_cluster_id" uuid null, "default_timeout_in_minutes" int null, "maximum_timeout_in_minutes" int null, "scheduled_job_expiry_in_minutes" int not null default 43200, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "organizations" add constraint "organizations_slug_unique" unique ("slug")`);
    this.addSql(
      `create table "organization_members" ("id" uuid not null, "organization_id" uuid not null, "user_id" uuid not null, "role" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "organization_members_user_id_index" on "organization_members" ("user_id")`);
    this.addSql(
      `alter table "organization_members" add constraint "organization_members_organization_id_user_id_unique" unique ("organization_id", "user_id")`,
    );
    this.addSql(
      `create table "outbox_messages" ("id" uuid not null, "organization_id" uuid null, "topic" text not null, "payload" jsonb not null, "attempts" int not null default 0, "last_error" text null, "available_at" timestamptz(3) not null, "failed_at" timestamptz(3) null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "outbox_messages_due_index" on "outbox_messages" ("available_at", "id") where "failed_at" is null`,
    );
    this.addSql(
      `create table "pipelines" ("id" uuid not null, "organization_id" uuid not null, "slug" text not null, "name" text not null, "description" text null, "repository" text not null, "cluster_id" uuid null, "pipeline_template_id" uuid null, "branch_configuration" text null, "default_branch" text not null, "configuration" text null, "visual_steps" jsonb null, "env" jsonb null, "provider_id" text not null, "provider_settings" jsonb not null default '{}', "webhook_token" text not null, "badge_token" text not null, "skip_queued_branch_builds" boolean not null default false, "skip_queued_branch_builds_filter" text null, "cancel_running_branch_builds" boolean not null default false, "cancel_running_branch_builds_filter" text null, "allow_rebuilds" boolean not null default true, "default_timeout_in_minutes" int null, "maximum_timeout_in_minutes" int null, "clone_mirror_url" text null, "color" text null, "emoji" text null, "visibility" text not null default 'private', "tags" text[] not null default '{}', "next_build_number" int not null default 1, "created_by_id" uuid null, "archived_by_id" uuid null, "created_at" timestamptz(3) not null, "archived_at" timestamptz(3) null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "pipelines" add constraint "pipelines_webhook_token_unique" unique ("webhook_token")`);
    this.addSql(`alter table "pipelines" add constraint "pipelines_badge_token_unique" unique ("badge_token")`);
    this.addSql(`create index "pipelines_organization_id_id_index" on "pipelines" ("organization_id", "id")`);
    this.addSql(`create index "pipelines_cluster_id_index" on "pipelines" ("cluster_id")`);
    this.addSql(`create index "pipelines_pipeline_template_id_index" on "pipelines" ("pipeline_template_id")`);
    this.addSql(
      `alter table "pipelines" add constraint "pipelines_organization_id_slug_unique" unique ("organization_id", "slug")`,
    );
    this.addSql(
      `alter table "pipelines" add constraint "pipelines_organization_id_name_unique" unique ("organization_id", "name")`,
    );
    this.addSql(
      `create table "pipeline_favorites" ("user_id" uuid not null, "pipeline_id" uuid not null, "organization_id" uuid not null, primary key ("user_id", "pipeline_id"))`,
    );
    this.addSql(
      `create table "pipeline_templates" ("id" uuid not null, "organization_id" uuid not null, "name" text not null, "description" text null, "configuration" text not null, "available" boolean not null default false, "created_by_id" uuid null, "updated_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "pipeline_templates_organization_id_name_index" on "pipeline_templates" ("organization_id", "name")`,
    );
    this.addSql(
      `create table "steps" ("id" uuid not null, "organization_id" uuid not null, "build_id" uuid not null, "group_id" uuid null, "key" text null, "type" text not null, "label" text null, "position" int not null, "definition" jsonb not null, "uploaded_by_job_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "steps_build_id_position_index" on "steps" ("build_id", "position")`);
    this.addSql(`alter table "steps" add constraint "steps_build_id_key_unique" unique ("build_id", "key")`);
    this.addSql(
      `create table "suites" ("id" uuid not null, "organization_id" uuid not null, "slug" text not null, "name" text not null, "default_branch" text not null, "token_hash" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "suites" add constraint "suites_token_hash_unique" unique ("token_hash")`);
    this.addSql(
      `alter table "suites" add constraint "suites_organization_id_slug_unique" unique ("organization_id", "slug")`,
    );
    this.addSql(
      `create table "teams" ("id" uuid not null, "organization_id" uuid not null, "slug" text not null, "name" text not null, "description" text null, "privacy" text not null default 'visible', "is_default" boolean not null default false, "default_member_role" text not null default 'member', "members_can_create_pipelines" boolean not null default true, "members_can_create_suites" boolean not null default true, "members_can_create_registries" boolean not null default true, "members_can_destroy_registries" boolean not null default false, "members_can_destroy_packages" boolean not null default false, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `alter table "teams" add constraint "teams_organization_id_slug_unique" unique ("organization_id", "slug")`,
    );
    this.addSql(
      `create table "team_members" ("id" uuid not null, "organization_id" uuid not null, "team_id" uuid not null, "user_id" uuid not null, "role" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(
      `create index "team_members_organization_id_user_id_index" on "team_members" ("organization_id", "user_id")`,
    );
    this.addSql(
      `alter table "team_members" add constraint "team_members_team_id_user_id_unique" unique ("team_id", "user_id")`,
    );
    this.addSql(
      `create table "team_pipelines" ("id" uuid not null, "organization_id" uuid not null, "team_id" uuid not null, "pipeline_id" uuid not null, "access_level" text not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "team_pipelines_pipeline_id_index" on "team_pipelines" ("pipeline_id")`);
    this.addSql(
      `alter table "team_pipelines" add constraint "team_pipelines_team_id_pipeline_id_unique" unique ("team_id", "pipeline_id")`,
    );
    this.addSql(
      `create table "users" ("id" uuid not null, "email" text not null, "name" text not null, "password_hash" text null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`alter table "users" add constraint "users_email_unique" unique ("email")`);
  }

  override down(): void {
    this.addSql(`drop table if exists "users" cascade`);
    this.addSql(`drop table if exists "team_pipelines" cascade`);
    this.addSql(`drop table if exists "team_members" cascade`);
    this.addSql(`drop table if exists "teams" cascade`);
    this.addSql(`drop table if exists "suites" cascade`);
    this.addSql(`drop table if exists "steps" cascade`);
    this.addSql(`drop table if exists "pipeline_templates" cascade`);
    this.addSql(`drop table if exists "pipeline_favorites" cascade`);
    this.addSql(`drop table if exists "pipelines" cascade`);
    this.addSql(`drop table if exists "outbox_messages" cascade`);
    this.addSql(`drop table if exists "organization_members" cascade`);
    this.addSql(`drop table if exists "organizations" cascade`);
    this.addSql(`drop table if exists "log_usage" cascade`);
    this.addSql(`drop table if exists "log_header_times" cascade`);
    this.addSql(`drop table if exists "log_chunks" cascade`);
    this.addSql(`drop table if exists "jobs" cascade`);
    this.addSql(`drop table if exists "idempotency_keys" cascade`);
    this.addSql(`drop table if exists "events" cascade`);
    this.addSql(`drop table if exists "concurrency_groups" cascade`);
    this.addSql(`drop table if exists "cluster_queues" cascade`);
    this.addSql(`drop table if exists "clusters" cascade`);
    this.addSql(`drop table if exists "build_meta_data" cascade`);
    this.addSql(`drop table if exists "builds" cascade`);
    this.addSql(`drop table if exists "audit_events" cascade`);
    this.addSql(`drop table if exists "api_token_organizations" cascade`);
    this.addSql(`drop table if exists "api_tokens" cascade`);
    this.addSql(`drop table if exists "agent_tokens" cascade`);
    this.addSql(`drop table if exists "agents" cascade`);
  }
}
