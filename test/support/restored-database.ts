import { sql } from 'kysely';
import type { Services } from '../../src/services/services.js';

/** Puts the rows of a database back to where they were, so that one world serves thousands of writes. */
export interface RestoredDatabase {
  /** Puts back every table that was written to since. */
  restore(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Copies every table, and has each note that it was written to. The copies lie in a schema of their own, which `remove`
 * drops.
 */
export async function keepRows({ db }: Pick<Services, 'db'>): Promise<RestoredDatabase> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run('create schema kept');
  await run('create table kept.written (name text primary key)');
  await run(`create function kept.note() returns trigger language plpgsql as $$ begin
    insert into kept.written values (tg_table_name) on conflict do nothing; return null; end $$`);
  await run(`do $$ declare name text; begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('create table kept.%1$I as table public.%1$I', name);
      execute format('create trigger kept_note after insert or update or delete on public.%I execute function kept.note()', name);
    end loop; end $$`);
  await run(`create function kept.restore() returns void language plpgsql as $$ declare name text; columns text; begin
    perform set_config('session_replication_role', 'replica', true);
    for name in select w.name from kept.written w loop
      select string_agg(quote_ident(column_name), ', ') into columns from information_schema.columns
        where table_schema = 'public' and table_name = name and is_generated = 'NEVER';
      execute format('delete from public.%I', name);
      execute format('insert into public.%1$I (%2$s) overriding system value select %2$s from kept.%1$I', name, columns);
    end loop;
    delete from kept.written; end $$`);
  return {
    restore: async () => void (await run('select kept.restore()')),
    remove: async () => void (await run('drop schema kept cascade')),
  };
}
