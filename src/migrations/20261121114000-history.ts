import { Migration } from '@mikro-orm/migrations';

/**
 * Readable audit events: names of subjects, addresses of requests, and indexes for lists; revocations of API tokens by
 * organizations; rules.
 */
export class History20261121114000 extends Migration {
  override up(): void {
    this.addSql(`alter table "audit_events" add "subject_name" text null`);
    this.addSql(`alter table "audit_events" add "ip_address" text null`);
    this.addSql(`alter table "audit_events" add "user_agent" text null`);
    this.addSql(`drop index "audit_events_organization_id_id_index"`);
    this.addSql(
      `create index "audit_events_organization_id_created_at_id_index" on "audit_events" ("organization_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "audit_events_organization_id_operation_created_at_id_index" on "audit_events" ("organization_id", "operation", "created_at", "id")`,
    );
    this.addSql(
      `create index "audit_events_organization_id_actor_id_created_at_id_index" on "audit_events" ("organization_id", "actor_id", "created_at", "id")`,
    );
    this.addSql(
      `create index "audit_events_organization_id_subject_id_created_at_id_index" on "audit_events" ("organization_id", "subject_id", "created_at", "id")`,
    );
    this.addSql(
      `create table "api_token_revocations" ("api_token_id" uuid not null, "organization_id" uuid not null, "revoked_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("api_token_id", "organization_id"))`,
    );
    this.addSql(
      `create table "rules" ("id" uuid not null, "organization_id" uuid not null, "action" text not null, "source_pipeline_id" uuid not null, "target_pipeline_id" uuid not null, "description" text null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, "updated_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "rules_organization_id_id_index" on "rules" ("organization_id", "id")`);
    this.addSql(`create index "rules_target_pipeline_id_index" on "rules" ("target_pipeline_id")`);
    this.addSql(
      `alter table "rules" add constraint "rules_source_pipeline_id_target_pipeline_id_action_unique" unique ("source_pipeline_id", "target_pipeline_id", "action")`,
    );
  }

  override down(): void {
    this.addSql(`drop table "rules"`);
    this.addSql(`drop table "api_token_revocations"`);
    this.addSql(`drop index "audit_events_organization_id_subject_id_created_at_id_index"`);
    this.addSql(`drop index "audit_events_organization_id_actor_id_created_at_id_index"`);
    this.addSql(`drop index "audit_events_organization_id_operation_created_at_id_index"`);
    this.addSql(`drop index "audit_events_organization_id_created_at_id_index"`);
    this.addSql(`create index "audit_events_organization_id_id_index" on "audit_events" ("organization_id", "id")`);
    this.addSql(`alter table "audit_events" drop column "subject_name"`);
    this.addSql(`alter table "audit_events" drop column "ip_address"`);
    this.addSql(`alter table "audit_events" drop column "user_agent"`);
  }
}
