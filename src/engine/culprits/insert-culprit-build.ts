import { sql } from 'kysely';
import type { Context } from '../../request/context.js';
import { wrongState } from '../../domain/problem.js';
import type { BuildRow, CulpritSearchRow } from '../../entities/database.js';
import { insertBuild } from '../new-builds/insert-build.js';
import { newBuild, newBuildFromRow } from '../new-builds/new-build.js';
import { culpritDefinition } from './culprit-definition.js';

/** Variable by which a job knows that it runs for a search, so that it can do without effects elsewhere. */
const searchVariable = 'SLIPWAY_CULPRIT_SEARCH';

/**
 * Creates the build of one commit of a locked search: like the failed build, with the steps that are needed only.
 * Throws `wrong_state` or `invalid` where it may not be created.
 */
export async function insertCulpritBuild(
  context: Context,
  search: CulpritSearchRow,
  position: number,
): Promise<BuildRow> {
  const { db } = context;
  const failed = await db.selectFrom('builds').selectAll().where('id', '=', search.buildId).executeTakeFirst();
  const pipeline = failed && (await context.uncheckedRows.pipeline.load(failed.pipelineId));
  const organization = pipeline && (await context.load.organization.load(pipeline.organizationId));
  const commit = search.commits[position - 1];
  if (!failed || !pipeline || !organization || commit === undefined)
    throw wrongState('the failed build, or its pipeline, was deleted');
  const definition = await culpritDefinition(context, failed, search.plan, commit);
  if (!definition) throw wrongState('the steps of the failed build were deleted');
  const build = await insertBuild(
    context,
    { organization, pipeline },
    newBuild({
      ...newBuildFromRow(failed),
      commit,
      commitResolved: true,
      message: `Find the commit since which build #${failed.number} fails`,
      author: null,
      env: { ...failed.env, [searchVariable]: search.id },
      metaData: await metaDataOf(context, failed.id),
      // A build that was allowed once is not filtered again.
      ignorePipelineBranchFilters: true,
      source: 'api',
      creatorId: search.createdById,
      culpritSearchId: search.id,
    }),
    definition,
  );
  const steps = await db.selectFrom('steps').select('id').where('buildId', '=', build.id).orderBy('position').execute();
  const targets = new Set(search.steps.map(({ id }) => id));
  await db
    .insertInto('culprit_builds')
    .values({
      searchId: search.id,
      position,
      organizationId: search.organizationId,
      buildId: build.id,
      stepIds: search.plan.flatMap(({ id }, index) => (targets.has(id) ? (steps[index]?.id ?? []) : [])),
      createdAt: context.now,
    })
    .execute();
  return build;
}

/** Bytes of meta-data that each build of a search gets: all of them together must not multiply a large build. */
const metaDataBytes = 256 * 1024;

/**
 * Meta-data of the failed build, such as the fields of its blocks, the first keys of it if it has much. That of the
 * commit is another commit's.
 */
async function metaDataOf({ db }: Context, buildId: string): Promise<Record<string, string>> {
  const { rows } = await sql<{ key: string; value: string }>`
    select m.key, m.value from (
      select key, sum(octet_length(key) + octet_length(value)) over (order by key) as bytes from build_meta_data
      where build_id = ${buildId} and key <> 'buildkite:git:commit'
    ) as sized join build_meta_data m on m.build_id = ${buildId} and m.key = sized.key
    where sized.bytes <= ${metaDataBytes}`.execute(db);
  return Object.fromEntries(rows.map(({ key, value }) => [key, value]));
}
