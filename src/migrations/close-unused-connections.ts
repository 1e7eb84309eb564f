const others = `from pg_stat_activity
    where "datname" = current_database() and "usename" = current_user and "pid" <> pg_backend_pid()
      and "application_name" = current_setting('application_name')`;
const idle = `"state" = 'idle' and "pid" not in (select "pid" from pg_locks where "locktype" = 'advisory')`;
const recent = `"state_change" >= clock_timestamp() - interval '450 ms'`;

/**
 * SQL for the end of a migration that changes a table which transactions of 0.2.0 read by `select *`. Replicas of that
 * release keep such a statement for each of their connections; the change outdates it, and they answer 503 when a
 * transaction meets five outdated connections one after the other. So connections that nobody uses are closed while the
 * table is locked. Half a second tells them from those in use, of which each is met once. On a machine with much to do
 * many have been used within half a second: it looks again until few are left, for two seconds at most. Later releases
 * close them by themselves (`database/postgres-driver.ts`).
 */
export const closeUnusedConnections = `
do $$
declare
  "recently_used" int;
begin
  for look in 1..4 loop
    exit when not exists (select 1 ${others});
    perform pg_sleep(0.5);
    -- A transaction sees the sessions as it saw them first.
    perform pg_stat_clear_snapshot();
    select count(*) into "recently_used" ${others} and ${idle} and ${recent};
    perform pg_terminate_backend("pid") ${others} and ${idle} and not ${recent};
    exit when "recently_used" < 3;
  end loop;
end $$`;
