import DataLoader from 'dataloader';
import { idIn } from '../database/id-in.js';
import { withVersion } from '../database/row-version.js';
import type { Db, Row } from '../entities/database.js';

/** Tables whose rows references load by id. */
export type ById =
  | 'users'
  | 'organizations'
  | 'pipelines'
  | 'builds'
  | 'jobs'
  | 'steps'
  | 'agents'
  | 'clusters'
  | 'cluster_queues'
  | 'agent_tokens'
  | 'teams'
  | 'team_members'
  | 'team_pipelines'
  | 'organization_banners'
  | 'organization_invitations'
  | 'organization_members'
  | 'pipeline_templates'
  | 'notification_services'
  | 'suites'
  | 'suite_runs'
  | 'suite_tests'
  | 'pipeline_schedules'
  | 'team_suites'
  | 'cluster_secrets'
  | 'rules';

/**
 * Returns a loader that collects the keys of one turn of the event loop into calls of `batch` with at most 1,000 keys.
 * `name` says how the versions of its values are read (`request/source-versions.ts`). Every value has a version
 * (`versionOf`).
 */
export function batchLoader<K, V>(batch: (keys: K[]) => Promise<V[]>, name: string | null = null): DataLoader<K, V> {
  return new DataLoader<K, V>((keys) => batch([...keys]), { maxBatchSize: 1000, name });
}

/** Returns the rows in the order of `ids`, with null for an id without a row. */
export function orderByIds<T extends { id: string }>(ids: readonly string[], rows: readonly T[]): (T | null)[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Returns a loader of rows by id; it calls `db` when it reads a batch. */
export function rowLoader<T extends ById>(db: () => Db, table: T): DataLoader<string, Row<T> | null> {
  return batchLoader<string, Row<T> | null>(async (ids) => {
    const query = db()
      .selectFrom(table as 'users')
      .selectAll();
    const rows = await withVersion(query, table).where(idIn('id', ids)).execute();
    return orderByIds(ids, rows as unknown as (Row<T> & { id: string })[]);
  }, `row ${table}`);
}

/** Groups rows by key and keeps their order. */
export function group<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const of = groups.get(key(row));
    if (of) of.push(row);
    else groups.set(key(row), [row]);
  }
  return groups;
}

/** Loads an optional reference; null for a null id, without a statement. */
export async function loadOrNull<V>(loader: DataLoader<string, V | null>, id: string | null): Promise<V | null> {
  return id === null ? null : loader.load(id);
}
