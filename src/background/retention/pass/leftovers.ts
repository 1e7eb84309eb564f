import pLimit from 'p-limit';
import { sql } from 'kysely';
import { artifactFolder, buildFolder } from '../../../core/build-folder.js';
import type { BuildKind } from '../../../domain/retention/policy.js';
import type { Db, Row } from '../../../entities/database.js';
import type { Services } from '../../../services/services.js';
import { logFolder } from '../../../storage/logs/chunk-index.js';
import { type DeletedRows, deleteMeasured, type DoomedRows } from '../../deletions/delete-some.js';

export type Leftover = Pick<Row<'retention_leftovers'>, 'buildId' | 'organizationId' | 'kind'>;

const foldersAtOnce = 8;

/** Writes, in the transaction that takes builds or marks their logs or artifacts, what is yet to be deleted of them. */
export async function leave(
  trx: Db,
  kind: BuildKind,
  organizationId: string,
  buildIds: readonly string[],
  now: Date,
): Promise<void> {
  await trx
    .insertInto('retention_leftovers')
    .values(buildIds.map((buildId) => ({ buildId, kind, organizationId, createdAt: now })))
    // Marked before, retried, and marked again while its bytes could not be deleted.
    .onConflict((conflict) => conflict.columns(['buildId', 'kind']).doNothing())
    .execute();
}

/** Rows of a build's logs that have expired: they say where the bytes are, and are no use without them. */
export const rowsOfExpiredLogs = (buildIds: readonly string[]): DoomedRows[] => {
  const where = sql`job_id = any(array(select id from jobs
    where build_id = any(${sql.val([...buildIds])}::uuid[]) and log_expired_at is not null))`;
  return rowsOfLogs(where);
};

/** Rows of a build's logs that are not deleted yet. */
export const rowsOfLiveLogs = (buildIds: readonly string[]): DoomedRows[] =>
  rowsOfLogs(sql`job_id = any(array(select id from jobs
    where build_id = any(${sql.val([...buildIds])}::uuid[]) and type = 'command' and log_deleted_at is null))`);

const rowsOfLogs = (where: DoomedRows['where']): DoomedRows[] => [
  { table: 'log_chunks', where, bytes: sql`stored_size` },
  { table: 'log_usage', where },
  { table: 'log_header_times', where },
  // Behind the usage: who writes filters, holds it.
  { table: 'log_filters', where },
];

/**
 * Deletes what is left of builds: rows of logs at most `most`, then bytes, then the note of it. Each step may be
 * repeated, so a process may die at any moment. `ended` is false if rows are left.
 */
export async function deleteLeftovers(
  services: Services,
  leftovers: readonly Leftover[],
  most: number,
): Promise<DeletedRows & { ended: boolean }> {
  const { db, storage } = services;
  const logs = leftovers.filter(({ kind }) => kind === 'logs').map(({ buildId }) => buildId);
  const deleted = logs.length > 0 ? await deleteMeasured(db, rowsOfExpiredLogs(logs), most) : { rows: 0, bytes: 0 };
  if (deleted.rows >= most) return { ...deleted, ended: false };
  const inTurn = pLimit(foldersAtOnce);
  await Promise.all(
    leftovers.map((leftover) =>
      inTurn(async () => {
        for (const folder of await foldersOf(db, leftover)) await storage.deletePrefix(folder);
      }),
    ),
  );
  await db
    .deleteFrom('retention_leftovers')
    .where((eb) =>
      eb(
        eb.refTuple('buildId', 'kind'),
        'in',
        leftovers.map(({ buildId, kind }) => eb.tuple(buildId, kind)),
      ),
    )
    .execute();
  return { ...deleted, ended: true };
}

/** Folders of the bytes: one for all, unless a job was retried since and has made new ones beside them. */
async function foldersOf(db: Db, { buildId, organizationId, kind }: Leftover): Promise<string[]> {
  const folder = buildFolder(organizationId, buildId);
  if (kind === 'builds') return [folder];
  if (kind === 'logs') {
    const jobs = await db
      .selectFrom('jobs')
      .select(['id', 'logExpiredAt', 'startedAt', 'finishedAt', 'logDeletedAt'])
      .where('buildId', '=', buildId)
      .where('type', '=', 'command')
      .execute();
    const gone = jobs.filter(({ logExpiredAt }) => logExpiredAt !== null);
    const isMixed = jobs.some(({ logDeletedAt }) => logDeletedAt === null);
    return isMixed ? gone.map(({ id }) => logFolder({ organizationId, buildId, jobId: id })) : [`${folder}jobs/`];
  }
  const artifacts = await db
    .selectFrom('artifacts')
    .select(['id', 'state', 'organizationId', 'buildId'])
    .where('buildId', '=', buildId)
    .where('uploadDestination', 'is', null)
    .execute();
  const isMixed = artifacts.some(({ state }) => state === 'new' || state === 'finished');
  return isMixed ? artifacts.filter(({ state }) => state === 'expired').map(artifactFolder) : [`${folder}artifacts/`];
}
