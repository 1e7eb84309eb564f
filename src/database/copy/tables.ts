import { sql } from 'kysely';
import type { Db } from '../../entities/database.js';

/** A table whose rows are copied. */
export interface CopiedTable {
  name: string;
  /** Columns that rows are stored with, in order; the database computes all others. */
  columns: readonly string[];
}

/** The next value of a counter of the database, such as that of `events.ordinal`. */
export interface SequenceValue {
  name: string;
  /** As text: it may exceed 2^53. */
  lastValue: string;
  isCalled: boolean;
}

/**
 * Tables that the first start of a server fills, or a migration: a database with rows in these alone is that of nobody.
 */
const filledByItself: ReadonlySet<string> = new Set([
  'event_streams',
  'insight_folds',
  'installations',
  'listening_clocks',
  'oidc_keys',
  'scheduled_backups',
  'schema_compatibility',
  'retention_passes',
  'secret_keys',
  'storage_sweeps',
  'work_claims',
]);

/**
 * Tables that are copied without their rows. Claims, and turns, are those of processes that work on the database they
 * were made in: where none of these processes is, they would be taken for dead ones. Which programs a schema is for, is
 * known by the one that makes it.
 */
const withoutRows: ReadonlySet<string> = new Set(['scheduled_backups', 'schema_compatibility', 'work_claims']);

const schema = sql.raw('(select oid from pg_namespace where nspname = current_schema())');

/**
 * The tables of the product, without the record of migrations. Unlogged tables are left out: their rows are gone after
 * every crash, and count for seconds.
 */
export async function copiedTables(db: Db): Promise<CopiedTable[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select c.relname::text as "table", a.attname::text as "column"
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = ${schema} and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
      and c.relname <> 'slipway_migrations'
    order by c.relname, a.attnum`.execute(db);
  const tables = new Map<string, string[]>();
  for (const { table, column } of rows) tables.set(table, [...(tables.get(table) ?? []), column]);
  return [...tables].filter(([name]) => !withoutRows.has(name)).map(([name, columns]) => ({ name, columns }));
}

/** Names of tables with rows that somebody has put there; empty for a new database. */
export async function tablesInUse(db: Db): Promise<string[]> {
  const names = (await copiedTables(db)).map(({ name }) => name).filter((name) => !filledByItself.has(name));
  const used: string[] = [];
  for (const name of names) {
    const { rows } = await sql<{ used: boolean }>`select exists (select from ${sql.table(name)}) as used`.execute(db);
    if (rows[0]?.used) used.push(name);
  }
  return used;
}

/** The counters behind columns of tables. They count on while a snapshot is open, and may be ahead of its rows. */
export async function sequenceValues(db: Db): Promise<SequenceValue[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname::text as name from pg_class c where c.relkind = 'S' and c.relnamespace = ${schema}
      and c.relname not like 'slipway\_migrations%' order by c.relname`.execute(db);
  const values: SequenceValue[] = [];
  for (const { name } of rows) {
    const read = await sql<{ lastValue: string; isCalled: boolean }>`
      select last_value::text as last_value, is_called from ${sql.table(name)}`.execute(db);
    values.push({ name, lastValue: read.rows[0]?.lastValue ?? '1', isCalled: read.rows[0]?.isCalled ?? false });
  }
  return values;
}
