import { sql } from 'kysely';
import { ArchiveNames, archiveFolderOf } from '../../../domain/builds/archive-names.js';
import { limits } from '../../../domain/limits/limits.js';
import { wrongState } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

/** Whose artifacts an archive holds: those of a build, of all its jobs and their attempts, or those of one job. */
export interface ArchiveScope {
  of: 'build' | 'job';
  id: string;
}

/** What an archive holds. */
export interface ArchiveSize {
  files: number;
  /** Size of the files, which an archive of them is about as large as at most. */
  bytes: number;
}

const columnOf = ({ of }: ArchiveScope) => (of === 'build' ? 'a.buildId' : 'a.jobId');

/** Artifacts of an archive, as `a`: those whose bytes are in the storage. */
const filesOf = ({ db }: Pick<Context, 'db'>, scope: ArchiveScope) =>
  db
    .selectFrom('artifacts as a')
    .where(columnOf(scope), '=', scope.id)
    .where('a.state', '=', 'finished')
    .where('a.uploadDestination', 'is', null);

/** Measures an archive; throws `wrong_state`, which says what to do instead, for one beyond the limits. */
export async function measureArchive(context: Pick<Context, 'db'>, scope: ArchiveScope): Promise<ArchiveSize> {
  const { artifactArchiveFiles, artifactArchiveBytes, artifactArchivePathBytes } = limits;
  const some = filesOf(context, scope)
    .select(['a.fileSize', 'a.path'])
    .limit(artifactArchiveFiles + 1)
    .as('some');
  const { files, bytes, pathBytes } = await context.db
    .selectFrom(some)
    .select([
      sql<number>`count(*)::int`.as('files'),
      sql<string>`coalesce(sum(file_size), 0)::text`.as('bytes'),
      sql<number>`coalesce(sum(octet_length(path)), 0)::int`.as('pathBytes'),
    ])
    .executeTakeFirstOrThrow();
  const instead = `Download ${scope.of === 'build' ? 'those of one job, or ' : ''}single artifacts instead.`;
  if (files > artifactArchiveFiles)
    throw wrongState(`An archive holds at most ${artifactArchiveFiles} artifacts, and there are more. ${instead}`);
  if (Number(bytes) > artifactArchiveBytes)
    throw wrongState(
      `An archive holds artifacts of at most ${artifactArchiveBytes} bytes; these have ${bytes}. ${instead}`,
    );
  if (pathBytes > artifactArchivePathBytes)
    throw wrongState(
      `The paths of an archive have at most ${artifactArchivePathBytes} bytes; these have ${pathBytes}. ${instead}`,
    );
  return { files, bytes: Number(bytes) };
}

type ArchivedArtifact = Pick<
  ArtifactRow,
  'id' | 'organizationId' | 'buildId' | 'path' | 'contentType' | 'fileSize' | 'createdAt'
>;

/** A file of an archive; its bytes are not read yet. */
export interface ArchiveFile {
  /** Its name in the archive. */
  name: string;
  artifact: ArchivedArtifact;
}

const pageRows = 200;

/** Files of an archive, the newest first, which are read a page at a time. */
export async function* filesOfArchive(
  context: Pick<Context, 'db'>,
  scope: ArchiveScope,
  names: ArchiveNames,
): AsyncGenerator<ArchiveFile> {
  let last: string | null = null;
  for (let left = limits.artifactArchiveFiles; left > 0; left -= pageRows) {
    let page = filesOf(context, scope)
      .innerJoin('jobs as j', 'j.id', 'a.jobId')
      .select(['a.id', 'a.organizationId', 'a.buildId', 'a.jobId', 'a.path', 'a.contentType', 'a.fileSize'])
      .select(['a.createdAt', sql<string | null>`left(j.label, 60)`.as('label')])
      .orderBy('a.id', 'desc')
      .limit(Math.min(pageRows, left));
    if (last !== null) page = page.where('a.id', '<', last);
    const rows = await page.execute();
    for (const { label, jobId, ...artifact } of rows)
      yield { name: names.nameOf(artifact.path, archiveFolderOf({ label, jobId })), artifact };
    last = rows.at(-1)?.id ?? null;
    if (rows.length < pageRows || last === null) return;
  }
}

/** An artifact that an archive lacks, and why, in words. */
export interface ArchiveGap {
  path: string;
  reason: string;
}

const reasons: Readonly<Record<string, string>> = {
  new: 'is not uploaded completely',
  error: 'was not uploaded completely',
  deleted: 'was deleted',
  expired: 'has expired',
  finished: 'is in a storage of its agent',
};

/** Characters of a path that are named. */
const pathShown = 300;

/** Artifacts that an archive lacks, the newest first; one more than are to be named, where there are more. */
export async function gapsOfArchive(context: Pick<Context, 'db'>, scope: ArchiveScope): Promise<ArchiveGap[]> {
  const rows = await context.db
    .selectFrom('artifacts as a')
    .select(['a.state', sql<string>`left(a.path, ${sql.lit(pathShown)})`.as('path')])
    .where(columnOf(scope), '=', scope.id)
    .where((eb) => eb.or([eb('a.state', '!=', 'finished'), eb('a.uploadDestination', 'is not', null)]))
    .orderBy('a.id', 'desc')
    .limit(limits.artifactArchiveGaps + 1)
    .execute();
  return rows.map(({ path, state }) => ({ path, reason: reasons[state] ?? state }));
}
