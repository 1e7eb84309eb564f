import { Migration } from '@mikro-orm/migrations';

/** A UUIDv7 as the server makes them, so that the rows sort by creation: 48 bits of time, then random ones. */
const milliseconds = `lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0')`;
const newId = `(substr(${milliseconds}, 1, 8) || '-' || substr(${milliseconds}, 9) || '-7' || substr(gen_random_uuid()::text, 16))::uuid`;

/**
 * Until now every member could see and edit every suite. Suites that no team has would be hidden from all members where
 * teams are enabled: the default teams get what their members had.
 */
export class SuitesOfDefaultTeams20261124100000 extends Migration {
  override up(): void {
    this.addSql(
      `insert into "team_suites" ("id", "organization_id", "team_id", "suite_id", "access_level", "created_at")
       select ${newId}, s."organization_id", t."id", s."id", '{read,edit}', now()
       from "suites" s
       join "organizations" o on o."id" = s."organization_id" and o."teams_enabled"
       join "teams" t on t."organization_id" = s."organization_id" and t."is_default"
       where not exists (select 1 from "team_suites" x where x."suite_id" = s."id")
       on conflict do nothing`,
    );
  }

  // Nothing tells these rows from rows that people made since.
  override down(): void {}
}
