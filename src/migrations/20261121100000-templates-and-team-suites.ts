import { Migration } from '@mikro-orm/migrations';

/** The access of teams to test suites, and how members of an organization are to sign in. */
export class TemplatesAndTeamSuites20261121100000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "team_suites" ("id" uuid not null, "organization_id" uuid not null, "team_id" uuid not null, "suite_id" uuid not null, "access_level" text[] not null, "created_by_id" uuid null, "created_at" timestamptz(3) not null, primary key ("id"))`,
    );
    this.addSql(`create index "team_suites_suite_id_id_index" on "team_suites" ("suite_id", "id")`);
    this.addSql(`create index "team_suites_team_id_id_index" on "team_suites" ("team_id", "id")`);
    this.addSql(
      `alter table "team_suites" add constraint "team_suites_team_id_suite_id_unique" unique ("team_id", "suite_id")`,
    );
    this.addSql(`alter table "organization_members" add "sso_mode" text not null default 'optional'`);
  }

  override down(): void {
    this.addSql(`alter table "organization_members" drop column "sso_mode"`);
    this.addSql(`drop table if exists "team_suites" cascade`);
  }
}
