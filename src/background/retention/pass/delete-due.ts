import { sql } from 'kysely';
import { inTransaction } from '../../../database/transaction.js';
import { artifactTransition } from '../../../domain/builds/artifact-state.js';
import type { BuildKind } from '../../../domain/retention/policy.js';
import { noteExpiry } from '../../../engine/state/builds.js';
import { expireLogs } from '../../../engine/state/jobs.js';
import type { Db } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import { type DeletedRows, deleteMeasured, deleteTogether, type DoomedRows } from '../../deletions/delete-some.js';
import { bytesOfArtifact, ofBuilds } from '../../deletions/rows-of-builds.js';
import { noteExported } from '../exports/export-rows.js';
import { type DueBuild, lockDueBuilds, type Oldest } from './due-builds.js';
import { deleteLeftovers, leave } from './leftovers.js';
import type { AgingPipeline } from './policies.js';

/** What one batch did; `ended` is false if the same builds need another one. */
export interface Batch extends DeletedRows {
  items: number;
  ended: boolean;
}

/** How builds, logs and artifacts are decided on: in one pass by the same numbers. */
export interface Basis {
  pipeline: AgingPipeline;
  oldest: Oldest;
}

/**
 * Deletes builds, or the bytes of their logs or artifacts, which are due: about `most` rows. Rows go in a transaction
 * under the locks of the builds, which also notes whose bytes are left; the bytes go after the commit.
 *
 * @param exported the builds that were exported, each with the number of its last event by then; null if none are to be
 */
export async function deleteDue(
  services: Services,
  kind: BuildKind,
  basis: Basis,
  ids: readonly string[],
  most: number,
  exported: ReadonlyMap<string, number> | null = null,
): Promise<Batch> {
  const { pipeline } = basis;
  const now = services.clock.now();
  const { builds, ...first } = await inTransaction(services.db, 'retention', async (trx) => {
    const due = await lockDueBuilds(trx, pipeline, ids, basis.oldest, now);
    const goes = ({ id, kinds, eventSequence }: DueBuild) =>
      kinds.includes(kind) && (exported === null || exported.get(id) === eventSequence);
    const builds = due.filter(goes).map(({ id }) => id);
    if (builds.length === 0) return { builds, rows: 0, bytes: 0, items: 0, ended: true };
    const part = await take[kind](trx, builds, most, now);
    if (part.ended) await leave(trx, kind, pipeline.organizationId, builds, now);
    else if (exported) for (const id of builds) await noteExported(trx, { ...pipeline, id }, now);
    return { builds, ...part };
  });
  if (!first.ended || builds.length === 0) return first;
  const batch = { ...first };
  const leftovers = builds.map((buildId) => ({ buildId, kind, organizationId: pipeline.organizationId }));
  for (;;) {
    const { rows, bytes, ended } = await deleteLeftovers(services, leftovers, most);
    batch.rows += rows;
    batch.bytes += bytes;
    if (ended) return batch;
  }
}

/** Artifacts of builds whose bytes are in the storage. */
export const liveArtifacts = (buildIds: readonly string[]): DoomedRows => ({
  table: 'artifacts',
  where: sql`build_id = any(${sql.val([...buildIds])}::uuid[]) and state = 'finished' and upload_destination is null`,
  bytes: sql`file_size`,
});

const take: Record<BuildKind, (trx: Db, ids: readonly string[], most: number, now: Date) => Promise<Batch>> = {
  // All of a build goes at once, but for one with more rows than a batch has: nobody sees a part of the others.
  builds: async (trx, ids, most) => {
    const isLarge = ids.length === 1;
    const deleted = isLarge ? await deleteMeasured(trx, ofBuilds(ids), most) : await deleteTogether(trx, ofBuilds(ids));
    if (isLarge && deleted.rows >= most) return { ...deleted, items: 0, ended: false };
    await trx.updateTable('suite_runs').set({ buildId: null }).where('buildId', 'in', ids).execute();
    const { numDeletedRows } = await trx.deleteFrom('builds').where('id', 'in', ids).executeTakeFirstOrThrow();
    const items = Number(numDeletedRows);
    return { rows: deleted.rows + items, bytes: deleted.bytes, items, ended: true };
  },

  logs: async (trx, ids, _most, now) => {
    const items = await withLogs(trx, ids);
    await expireLogs(trx, ids, now);
    await noteExpiry(trx, ids, { logsExpiredAt: now });
    return { rows: 0, bytes: 0, items, ended: true };
  },

  artifacts: async (trx, ids, _most, now) => {
    const { table: _, where } = liveArtifacts(ids);
    const move = artifactTransition('finished', 'expire');
    const expired = move.kind === 'moved' ? move.to : 'expired';
    const { rows } = await sql<{ buildId: string; bytes: number }>`
      with live as (select id, ${bytesOfArtifact}::float8 as bytes from artifacts where ${where} for update)
      update artifacts a set state = ${expired} from live where a.id = live.id
      returning a.build_id, live.bytes`.execute(trx);
    await noteExpiry(trx, ids, { artifactsExpiredAt: now });
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
    return { rows: rows.length, bytes, items: new Set(rows.map(({ buildId }) => buildId)).size, ended: true };
  },
};

/** Number of builds with such rows. */
export async function buildsWith(db: Db, { table, where }: DoomedRows): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(distinct build_id)::int as count from ${sql.table(table)} where ${where}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Number of builds with a log that is not deleted yet. */
export async function withLogs(db: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from unnest(${sql.val([...ids])}::uuid[]) as b(id) where exists (
      select from jobs j join log_usage u on u.job_id = j.id
      where j.build_id = b.id and j.type = 'command' and j.log_deleted_at is null)`.execute(db);
  return rows[0]?.count ?? 0;
}
