import { sql } from 'kysely';
import { addSizes, type CountProgress, type Size, type SizeKind, type Sizes } from '../../../domain/retention/sizes.js';
import type { Db, TableName } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import { type DeletedRows, type DoomedRows, measureRows } from '../../deletions/delete-some.js';
import { ofRuns } from '../../deletions/purge-suite.js';
import { ofBuilds } from '../../deletions/rows-of-builds.js';

const buildsAtOnce = 200;
const runsAtOnce = 50;
const eventsAtOnce = 10_000;

/** Who has sizes: a pipeline, a suite, or an organization for its audit events. */
interface Owner {
  id: string;
  organizationId: string;
  kind: 'pipeline' | 'suite' | 'organization';
}

const kindsOf: Record<Owner['kind'], readonly SizeKind[]> = {
  pipeline: ['builds', 'logs', 'artifacts'],
  suite: ['runs'],
  organization: ['audit'],
};

/** A part of an owner's rows, and where the next one begins; null after the last. */
interface Part {
  sizes: Sizes;
  within: string | null;
}

/**
 * Counts the next part of the owner that the count has come to, or begins with the next owner whose sizes were counted
 * before `since`; null once there is none. Sizes are stored when an owner is counted whole.
 */
export async function countSizes(
  services: Services,
  progress: CountProgress,
  since: Date,
): Promise<CountProgress | null> {
  const { db, clock } = services;
  const owner = await nextOwner(db, progress, since);
  if (!owner) return null;
  const isSame = owner.id === progress.cursor && progress.within !== null;
  const part = await partsOf[owner.kind](db, owner.id, isSame ? progress.within : null);
  const sums = addSizes(isSame ? progress.sums : {}, part.sizes);
  const next = { cursor: owner.id, within: part.within, sums, owners: progress.owners };
  if (part.within !== null) return next;
  const countedAt = clock.now();
  const rows = kindsOf[owner.kind].map((kind) => ({
    ownerId: owner.id,
    organizationId: owner.organizationId,
    kind,
    ...(sums[kind] ?? { rows: 0, bytes: 0 }),
    countedAt,
  }));
  await db
    .insertInto('storage_sizes')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['ownerId', 'kind']).doUpdateSet((eb) => ({
        rows: eb.ref('excluded.rows'),
        bytes: eb.ref('excluded.bytes'),
        countedAt: eb.ref('excluded.countedAt'),
      })),
    )
    .execute();
  return { ...next, sums: {}, owners: progress.owners + 1 };
}

async function nextOwner(db: Db, { cursor, within }: CountProgress, since: Date): Promise<Owner | null> {
  const isAfter = within === null ? sql`id > ${cursor}::uuid` : sql`id >= ${cursor}::uuid`;
  const from = cursor === '' ? sql`true` : isAfter;
  const { rows } = await sql<Owner>`
    select o.* from (
      select id, organization_id, 'pipeline' as kind from pipelines where ${from}
      union all select id, organization_id, 'suite' as kind from suites where ${from}
      union all select id, id as organization_id, 'organization' as kind from organizations where ${from}
    ) as o where not exists (
      select from storage_sizes s where s.owner_id = o.id and s.counted_at >= ${since}::timestamptz)
    order by o.id limit 1`.execute(db);
  return rows[0] ?? null;
}

const partsOf: Record<Owner['kind'], (db: Db, id: string, within: string | null) => Promise<Part>> = {
  pipeline: async (db, id, within) => {
    const builds = await db
      .selectFrom('builds')
      .select(['id', 'number'])
      .where('pipelineId', '=', id)
      .where('number', '>', Number(within ?? 0))
      .orderBy('number')
      .limit(buildsAtOnce)
      .execute();
    if (builds.length === 0) return { sizes: {}, within: null };
    const below = ofBuilds(builds.map((build) => build.id));
    const [rest, logs, artifacts] = [below.filter(isRest), below.filter(isOfLog), below.filter(isArtifact)];
    const counted = await measureRows(db, rest);
    const own = { rows: counted.rows + builds.length, bytes: 0 };
    const last = builds.at(-1)?.number ?? 0;
    return {
      sizes: {
        builds: await withEstimate(db, own, ['builds', ...rest.map(({ table }) => table)]),
        logs: await measureRows(db, logs),
        artifacts: await measureRows(db, artifacts),
      },
      within: builds.length < buildsAtOnce ? null : String(last),
    };
  },

  suite: async (db, id, within) => {
    const runs = await db
      .selectFrom('suite_runs')
      .select('id')
      .where('suiteId', '=', id)
      .$if(within !== null, (query) => query.where('id', '>', within ?? ''))
      .orderBy('id')
      .limit(runsAtOnce)
      .execute();
    if (runs.length === 0) return { sizes: {}, within: null };
    const below = ofRuns(runs.map((run) => run.id));
    const counted = await measureRows(db, below);
    const own = { rows: counted.rows + runs.length, bytes: 0 };
    return {
      sizes: { runs: await withEstimate(db, own, ['suite_runs', ...below.map(({ table }) => table)]) },
      within: runs.length < runsAtOnce ? null : (runs.at(-1)?.id ?? null),
    };
  },

  organization: async (db, id, within) => {
    const [at, after] = within === null ? [null, null] : (JSON.parse(within) as [string, string]);
    const { rows } = await sql<{ count: number; last: string | null }>`
      with part as (
        select created_at, id from audit_events where organization_id = ${id} and (
          ${at}::timestamptz is null or (created_at, id) > (${at}::timestamptz, ${after}::uuid))
        order by created_at, id limit ${eventsAtOnce})
      select count(*)::int as count,
        (select json_build_array(created_at, id)::text from part order by created_at desc, id desc limit 1) as last
      from part`.execute(db);
    const count = rows[0]?.count ?? 0;
    return {
      sizes: { audit: await withEstimate(db, { rows: count, bytes: 0 }, ['audit_events']) },
      within: count < eventsAtOnce ? null : (rows[0]?.last ?? null),
    };
  },
};

const ofLog: ReadonlySet<TableName> = new Set(['log_chunks', 'log_usage', 'log_header_times', 'log_filters']);
const isOfLog = ({ table }: DoomedRows) => ofLog.has(table);
const isArtifact = ({ table }: DoomedRows) => table === 'artifacts';
const isRest = (rows: DoomedRows) => !isOfLog(rows) && !isArtifact(rows);

/**
 * Rows with the bytes that so many have in these tables on average, with their indexes and long values. Tables that
 * were never analyzed do not count.
 */
async function withEstimate(db: Db, { rows }: DeletedRows, tables: readonly TableName[]): Promise<Size> {
  if (rows === 0) return { rows, bytes: 0 };
  const { rows: means } = await sql<{ mean: number | null }>`
    select (sum(pg_total_relation_size(c.oid)) / nullif(sum(c.reltuples), 0))::float8 as mean
    from pg_class c join unnest(${sql.val([...new Set(tables)])}::text[]) as t(name) on c.oid = to_regclass(t.name)
    where c.reltuples > 0`.execute(db);
  return { rows, bytes: Math.round(rows * (means[0]?.mean ?? 0)) };
}
