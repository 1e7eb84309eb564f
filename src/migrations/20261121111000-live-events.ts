import { Migration } from '@mikro-orm/migrations';

/** The order in which events are followed: see docs/decisions/0004-live-events.md. */
export class LiveEvents20261121111000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "event_streams" ("name" text not null, "last_position" bigint not null default '0', "forgotten_position" bigint not null default '0', primary key ("name"))`,
    );
    this.addSql(`insert into "event_streams" ("name") values ('events')`);
    this.addSql(`alter table "events" add column "ordinal" bigserial not null, add column "position" bigint null`);
    this.addSql(`create unique index "events_position_unique" on "events" ("position") where "position" is not null`);
    this.addSql(`create index "events_unplaced_index" on "events" ("ordinal") where "position" is null`);
    this.addSql(`create index "events_organization_id_position_index" on "events" ("organization_id", "position")`);
  }

  override down(): void {
    this.addSql(`drop index "events_organization_id_position_index"`);
    this.addSql(`drop index "events_unplaced_index"`);
    this.addSql(`drop index "events_position_unique"`);
    this.addSql(`alter table "events" drop column "ordinal", drop column "position"`);
    this.addSql(`drop table "event_streams"`);
  }
}
