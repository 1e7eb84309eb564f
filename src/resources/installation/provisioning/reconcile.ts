import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Context } from '../../../request/context.js';
import type { NewRow, Row } from '../../../entities/database.js';
import type { Ledger, ProvisionedKind } from './ledger.js';

type Table =
  | 'users'
  | 'organizations'
  | 'organization_members'
  | 'clusters'
  | 'cluster_queues'
  | 'teams'
  | 'team_members'
  | 'team_pipelines'
  | 'suites'
  | 'agent_tokens'
  | 'api_tokens';

export interface Entry<T extends Table> {
  table: T;
  kind: ProvisionedKind;
  /** Its full name, also the identity under which a deletion is remembered. */
  name: string;
  path: string;
  /** The id the plan asks for. */
  id?: string | undefined;
  organizationId: string | null;
  /** The row with the entry's identity, if there is one. */
  existing: Row<T> | undefined;
  /** Desired columns; undefined keeps the stored value, or the column's default in a new row. */
  values: Partial<NewRow<T>>;
  /** Columns that identify a row; set only on creation. */
  identity: Partial<NewRow<T>>;
  /** Names of columns in the report, where the column's own says too much or too little. */
  called?: Partial<Record<string, string>>;
}

/**
 * Applies one row: creates it, updates differing columns, or leaves it. Null if it was refused, or deleted and is not
 * created again.
 */
export async function reconcile<T extends Table>(
  context: Context,
  ledger: Ledger,
  entry: Entry<T>,
): Promise<string | null> {
  return entry.existing ? update(context, ledger, entry, entry.existing) : create(context, ledger, entry);
}

async function update<T extends Table>(
  context: Context,
  ledger: Ledger,
  entry: Entry<T>,
  existing: Row<T>,
): Promise<string | null> {
  const row = existing as unknown as Record<string, unknown> & { id: string };
  if (entry.id !== undefined && entry.id !== row.id) {
    ledger.refuse(
      `${entry.path}.id`,
      `id is not the id of ${entry.kind} ${entry.name}, which is ${row.id}: ids cannot be changed`,
    );
    return row.id;
  }
  const differing = Object.entries(entry.values).filter(
    ([column, value]) => value !== undefined && !same(row[column], value),
  );
  if (differing.length === 0) return row.id;
  await context.db
    .updateTable(entry.table as 'users')
    // The table is a type parameter, for which Kysely cannot resolve the type of its columns.
    .set(Object.fromEntries(differing) as never)
    .where('id', '=', row.id)
    .execute();
  ledger.note({
    action: 'updated',
    kind: entry.kind,
    name: entry.name,
    fields: differing.map(([column]) => entry.called?.[column] ?? snakeCase(column)),
    id: row.id,
    organizationId: entry.organizationId,
  });
  return row.id;
}

async function create<T extends Table>(context: Context, ledger: Ledger, entry: Entry<T>): Promise<string | null> {
  if (entry.organizationId && (await wasProvisioned(context, entry.organizationId, entry))) {
    ledger.keep(entry.kind, entry.name, 'deleted');
    return null;
  }
  const id = entry.id ?? context.newId();
  if (entry.id !== undefined) {
    const row = await context.db
      .selectFrom(entry.table as 'users')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (row) {
      ledger.refuse(`${entry.path}.id`, `id belongs to another ${entry.kind}`);
      return null;
    }
  }
  const values = Object.fromEntries(
    Object.entries({ ...entry.identity, ...entry.values }).filter(([, value]) => value !== undefined),
  );
  await context.db
    .insertInto(entry.table as 'users')
    // As above: the table is a type parameter.
    .values({ ...values, id, createdAt: context.now } as never)
    .execute();
  ledger.note({ action: 'created', kind: entry.kind, name: entry.name, id, organizationId: entry.organizationId });
  return id;
}

/** Kinds that go with another one when that is pruned. */
const parents: Partial<Record<ProvisionedKind, ProvisionedKind>> = {
  schedule: 'pipeline',
  'team member': 'team',
  'team pipeline': 'team',
};

/**
 * Whether provisioning created this entry before, and did not prune it since. Asked only if the row is missing: then it
 * was deleted through the API, and stays deleted. Revoked tokens keep their row and have a rule of their own.
 */
export async function wasProvisioned(
  context: Context,
  organizationId: string,
  { kind, name }: { kind: ProvisionedKind; name: string },
): Promise<boolean> {
  if (kind === 'agent token' || kind === 'API token' || kind === 'organization') return false;
  const row = await context.db
    .selectFrom('audit_events')
    .select(sql<string>`data->>'action'`.as('action'))
    .where('organizationId', '=', organizationId)
    .where('operation', '=', 'provisioning.apply')
    .where(
      sql<boolean>`(subject = ${kind} and data->>'name' = ${name} and data->>'action' in ('created', 'deleted'))
        or (subject = ${parents[kind] ?? ''} and starts_with(${name}, (data->>'name') || '/')
          and data->>'action' = 'deleted')`,
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.action === 'created';
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item) => b.includes(item));
  // Maps of a YAML file have no prototype, which clones have again.
  return isDeepStrictEqual(structuredClone(a), structuredClone(b));
}

/** A column's name as reports and the file spell it. */
export const snakeCase = (column: string) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
