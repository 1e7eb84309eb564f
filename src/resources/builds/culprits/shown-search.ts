import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { isNotOfDeletedPipeline } from '../../../database/has-pipeline.js';
import { idFromEither } from '../../../domain/node-id.js';
import { limits } from '../../../domain/limits/limits.js';
import type { CulpritSearchRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import { findBuild } from '../../../core/find.js';
import type { BuildSubject } from '../../../core/subject.js';

const columns = [
  's.id',
  's.organizationId',
  's.pipelineId',
  's.buildId',
  's.state',
  's.branch',
  's.steps',
  's.goodCommit',
  's.goodBuildId',
  's.badCommit',
  's.badBuildId',
  's.commitsFrom',
  's.firstSuspect',
  's.lastSuspect',
  's.culpritCommit',
  's.reason',
  's.createdById',
  's.createdAt',
  's.deadlineAt',
  's.finishedAt',
] as const;
type ShownColumns = (typeof columns)[number] extends `s.${infer Name extends keyof CulpritSearchRow}` ? Name : never;

/** A search for a culprit as replies show it. */
export interface ShownSearch extends Pick<CulpritSearchRow, ShownColumns> {
  /** Commits after the last passed one up to the failed one; 0 until they are listed. */
  commitsCount: number;
  suspectsCount: number;
  /** The first of the suspects, oldest first. */
  suspects: string[];
}

const suspects: RawBuilder<string[]> = sql`coalesce(
  s.commits[s.first_suspect : least(s.last_suspect, s.first_suspect + ${sql.lit(limits.culpritSuspectsShown - 1)})],
  '{}')`;

/** Searches for culprits, of pipelines that are not deleted. */
export const shownSearches = ({ db }: Pick<Context, 'db'>) =>
  db
    .selectFrom('culprit_searches as s')
    .select(columns)
    .select([
      sql<number>`cardinality(s.commits)`.as('commitsCount'),
      sql<number>`coalesce(s.last_suspect - s.first_suspect + 1, 0)`.as('suspectsCount'),
      suspects.as('suspects'),
    ])
    .where(isNotOfDeletedPipeline('s.pipelineId'));

const word = z.string().max(300);

/** By its id under its pipeline, or by uuid or node id alone. */
export const searchAddress = z.union([
  z.object({ organization: word, pipeline: word, id: word }),
  z.object({ id: word }),
]);

export interface SearchSubject extends BuildSubject {
  search: ShownSearch;
}

/** Finds a search whose pipeline the caller may see; `lock` locks its row. */
export async function findSearch(
  context: Context,
  address: z.output<typeof searchAddress>,
  { lock = false }: { lock?: boolean } = {},
): Promise<SearchSubject | null> {
  const id = idFromEither(address.id, ['CulpritSearch']);
  if (id === null) return null;
  let query = shownSearches(context).where('s.id', '=', id);
  if (lock) query = query.forUpdate('s');
  const search = await query.executeTakeFirst();
  const parent = search && (await findBuild(context, { id: search.buildId }));
  if (!search || !parent) return null;
  const { organization, pipeline } = parent;
  if ('pipeline' in address && (organization.slug !== address.organization || pipeline.slug !== address.pipeline))
    return null;
  return { ...parent, search };
}
