import { Migration } from '@mikro-orm/migrations';

/**
 * SQL for the changes that rows of `builds` make to the counts of their pipelines; `sign` is -1 for rows that are gone.
 */
const ofBuilds = (rows: string, sign: '' | '-') => `
  insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
  select pipeline_id, ${sign}(count(*) filter (where state in ('creating', 'scheduled'))),
    ${sign}(count(*) filter (where state in ('running', 'failing', 'canceling'))), 0, 0, 0
  from ${rows} where state in ('creating', 'scheduled', 'running', 'failing', 'canceling') group by pipeline_id`;

const ofJobs = (rows: string, sign: '' | '-') => `
  insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
  select pipeline_id, 0, 0, ${sign}(count(*) filter (where state in ('limiting', 'limited', 'scheduled', 'reserved', 'assigned'))),
    ${sign}(count(*) filter (where state in ('accepted', 'running', 'canceling', 'timing_out'))),
    ${sign}(count(*) filter (where state in ('pending', 'waiting', 'blocked', 'unblocked')))
  from ${rows} where type in ('command', 'trigger') and state in ('pending', 'waiting', 'blocked', 'unblocked', 'limiting', 'limited', 'scheduled', 'reserved', 'assigned', 'accepted', 'running', 'canceling', 'timing_out')
  group by pipeline_id`;

/** Difference that the change of one row makes to the count of rows in these states. */
const change = (...states: string[]) => {
  const list = states.map((state) => `'${state}'`).join(', ');
  return `(new.state in (${list}))::int - (old.state in (${list}))::int`;
};

const triggers = [
  ...(['builds', 'jobs'] as const).flatMap((table) => {
    const of = table === 'builds' ? ofBuilds : ofJobs;
    return [
      {
        name: `count_inserted_${table}`,
        on: `after insert on "${table}" referencing new table as changed for each statement`,
        body: `begin ${of('changed', '')}; return null; end`,
      },
      {
        name: `count_deleted_${table}`,
        on: `after delete on "${table}" referencing old table as changed for each statement`,
        body: `begin ${of('changed', '-')}; return null; end`,
      },
    ];
  }),
  {
    name: 'count_changed_builds',
    on: `after update of "state" on "builds" for each row when (old.state is distinct from new.state)`,
    body: `
      declare
        scheduled int := ${change('creating', 'scheduled')};
        running int := ${change('running', 'failing', 'canceling')};
      begin
        if scheduled <> 0 or running <> 0 then
          insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
          values (new.pipeline_id, scheduled, running, 0, 0, 0);
        end if;
        return null;
      end`,
  },
  {
    name: 'count_changed_jobs',
    on: `after update of "state" on "jobs" for each row when (old.state is distinct from new.state and new.type in ('command', 'trigger'))`,
    body: `
      declare
        scheduled int := ${change('limiting', 'limited', 'scheduled', 'reserved', 'assigned')};
        running int := ${change('accepted', 'running', 'canceling', 'timing_out')};
        waiting int := ${change('pending', 'waiting', 'blocked', 'unblocked')};
      begin
        if scheduled <> 0 or running <> 0 or waiting <> 0 then
          insert into pipeline_counts (pipeline_id, scheduled_builds, running_builds, scheduled_jobs, running_jobs, waiting_jobs)
          values (new.pipeline_id, 0, 0, scheduled, running, waiting);
        end if;
        return null;
      end`,
  },
];

/**
 * Keeps the numbers of unfinished builds and jobs of pipelines (docs/decisions/0019). What the triggers need to know of
 * states is written out here; test/background/pipeline-counts.test.ts holds it to the rules of the domain.
 */
export class PipelineCounts20261122200000 extends Migration {
  override up(): void {
    this.addSql(
      `create table "pipeline_counts" ("id" bigserial primary key, "pipeline_id" uuid not null, "scheduled_builds" int not null, "running_builds" int not null, "scheduled_jobs" int not null, "running_jobs" int not null, "waiting_jobs" int not null)`,
    );
    this.addSql(`create index "pipeline_counts_pipeline_id_index" on "pipeline_counts" ("pipeline_id")`);
    // Triggers lock writers out until the commit, so that what is counted below is all there is.
    for (const { name, on, body } of triggers) {
      this.addSql(`create function "${name}"() returns trigger language plpgsql as $body$ ${body} $body$`);
      this.addSql(`create trigger "${name}" ${on} execute function "${name}"()`);
    }
    this.addSql(ofBuilds('builds', ''));
    this.addSql(ofJobs('jobs', ''));
    // Only the counts read these.
    this.addSql(`drop index "builds_unfinished_index"`);
  }

  override down(): void {
    this.addSql(
      `create index "builds_unfinished_index" on "builds" ("pipeline_id", "state") where "state" in ('creating', 'scheduled', 'running', 'failing', 'blocked', 'canceling')`,
    );
    for (const { name, on } of triggers) {
      this.addSql(`drop trigger "${name}" on ${/ on "\w+"/.exec(on)?.[0].slice(4) ?? ''}`);
      this.addSql(`drop function "${name}"()`);
    }
    this.addSql(`drop table "pipeline_counts"`);
  }
}
