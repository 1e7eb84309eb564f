import { Migration } from '@mikro-orm/migrations';

/** Background work under way, and what was under way when a process died (docs/decisions/0026). */
export class WorkClaims20261124150000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "work_claims" ("id" uuid not null primary key, "process_id" uuid not null, "task" text not null, "units" text[] not null default '{}', "seen_at" timestamptz(3) not null)`,
    );
    this.addSql(`create index "work_claims_process_id_index" on "work_claims" ("process_id")`);
    this.addSql(
      `create table "work_suspects" ("id" uuid not null primary key, "task" text not null, "unit" text not null, "process_ids" text[] not null default '{}', "set_aside_at" timestamptz(3) null, "created_at" timestamptz(3) not null)`,
    );
    this.addSql(`alter table "work_suspects" add constraint "work_suspects_task_unit_unique" unique ("task", "unit")`);
    this.addSql(`create index "work_suspects_created_at_index" on "work_suspects" ("created_at")`);
  }

  override down(): void {
    this.addSql(`drop table "work_suspects"`);
    this.addSql(`drop table "work_claims"`);
  }
}
