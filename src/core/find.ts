import { type Expression, sql, type SqlBool } from 'kysely';
import { pipelineAccess, pipelineIsVisible, seesEveryPipeline, standing } from '../auth/authorize.js';
import type { Context } from '../request/context.js';
import { compiled } from '../database/compiled.js';
import { isNotOfDeletedPipeline } from '../database/has-pipeline.js';
import { idIn } from '../database/id-in.js';
import { rowAs } from '../database/row-conversion.js';
import { versionAs, withVersion } from '../database/row-version.js';
import type { BuildRow, JobRow, OrganizationRow, PipelineRow } from '../entities/database.js';
import {
  type BuildAddress,
  isId,
  type JobAddress,
  type OrganizationAddress,
  type PipelineAddress,
  readNumber,
} from './address.js';
import type { BuildSubject, JobSubject, OrganizationSubject, PipelineSubject } from './subject.js';

/** `lock`: takes the row lock under which the resource changes (for jobs, that of their build). */
interface Finding {
  lock?: boolean;
}

/** Finds an organization that the caller may see, as a member or as a visitor of its public resources. */
export async function findOrganization(
  context: Context,
  address: OrganizationAddress,
  visitors = false,
): Promise<OrganizationSubject | null> {
  const query = withVersion(context.db.selectFrom('organizations').selectAll(), 'organizations');
  if ('id' in address && !isId(address.id)) return null;
  // By its id it has been found already, where a list of its things is asked for beside it.
  const organization =
    'slug' in address
      ? await query.where('slug', '=', address.slug).executeTakeFirst()
      : await context.load.organization.load(address.id);
  if (!organization) return null;
  const role = standing(context.actor, organization.id);
  if (role === null || (role === 'visitor' && !visitors)) return null;
  return { organization };
}

/** Finds a pipeline that the caller may see, with the caller's access level. */
export async function findPipeline(
  context: Context,
  address: PipelineAddress,
  { lock = false }: Finding = {},
): Promise<PipelineSubject | null> {
  if ('organization' in address && !lock) {
    const [row] = await pipelineBySlugs(context.db, address);
    const role = row && standing(context.actor, row.organization.id);
    return row && role !== null ? visiblePipeline(context, row.pipeline, row.organization) : null;
  }
  const organization =
    'organization' in address ? await findOrganization(context, { slug: address.organization }, true) : null;
  if ('organization' in address && !organization) return null;
  if (!('organization' in address) && !isId(address.id)) return null;
  let query = withVersion(context.db.selectFrom('pipelines').selectAll(), 'pipelines');
  query =
    'organization' in address
      ? query.where('organizationId', '=', organization?.organization.id ?? '').where('slug', '=', address.slug)
      : query.where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const pipeline = await query.executeTakeFirst();
  return pipeline ? visiblePipeline(context, pipeline, organization?.organization ?? null) : null;
}

/** Most reads begin with this one: a pipeline and its organization, by the slugs of both. */
const pipelineBySlugs = compiled<
  { organization: string; slug: string },
  { pipeline: PipelineRow; organization: OrganizationRow }
>('pipeline.by-slugs', (db, { organization, slug }) =>
  db
    .selectFrom('organizations as o')
    .innerJoin('pipelines as p', 'p.organizationId', 'o.id')
    .select(rowAs('pipelines', 'p', 'pipeline'))
    .select(versionAs('p', 'pipeline'))
    .select(rowAs('organizations', 'o', 'organization'))
    .select(versionAs('o', 'organization'))
    .where('o.slug', '=', organization)
    .where('p.slug', '=', slug),
);

/** Adds organization and access level to a pipeline's row; null if the caller may not see the pipeline. */
export async function visiblePipeline(
  context: Context,
  pipeline: PipelineRow,
  known: OrganizationRow | null = null,
): Promise<PipelineSubject | null> {
  const organization = known ?? (await context.load.organization.load(pipeline.organizationId));
  if (!organization) return null;
  const level = await pipelineAccess(context.db, context.actor, organization, pipeline);
  return level ? { organization, pipeline, level } : null;
}

/** Returns the pipelines that the caller may see. */
export async function visiblePipelineIds(context: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await pipelinesAmong(context, ids).execute();
  return rows.map((row) => row.id);
}

/** A query of the ids of those pipelines that the caller may see. */
export const pipelinesAmong = (context: Context, ids: readonly string[]) =>
  context.db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select('p.id')
    .where(idIn('p.id', ids))
    .where(pipelineIsVisible(context.actor));

/** A query of the ids of those builds that the caller may see. */
export const buildsAmong = (context: Context, ids: readonly string[]) =>
  context.db
    .selectFrom('builds as b')
    .innerJoin('pipelines as p', 'p.id', 'b.pipelineId')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select('b.id')
    .where(idIn('b.id', ids))
    .where(pipelineIsVisible(context.actor));

/**
 * The condition that a row's pipeline is one that the caller may see: of an organization, or of all if `organizationId`
 * is null. `column` holds the id of the row's pipeline, as `b.pipeline_id`.
 */
export function pipelineOfRowIsVisible(
  context: Context,
  column: string,
  organizationId: string | null,
): Expression<SqlBool> {
  // Asked whether its pipeline is there, each row looks like one of few to the database, which reads the whole table
  // for a page.
  if (organizationId !== null && seesEveryPipeline(context.actor, organizationId))
    return isNotOfDeletedPipeline(column);
  let visible = context.db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select('p.id')
    .where(pipelineIsVisible(context.actor));
  if (organizationId !== null) visible = visible.where('p.organizationId', '=', organizationId);
  return sql<SqlBool>`${sql.ref(column)} in (${visible})`;
}

/** Finds a build whose pipeline the caller may see. */
export async function findBuild(
  context: Context,
  address: BuildAddress,
  { lock = false }: Finding = {},
): Promise<BuildSubject | null> {
  if ('organization' in address) {
    const number = readNumber(address.number);
    const parent = await findPipeline(context, { organization: address.organization, slug: address.pipeline });
    if (!parent || number === null) return null;
    let query = withVersion(context.db.selectFrom('builds').selectAll(), 'builds')
      .where('pipelineId', '=', parent.pipeline.id)
      .where('number', '=', number);
    if (lock) query = query.forUpdate();
    const build = await query.executeTakeFirst();
    return build ? { ...parent, build } : null;
  }
  if (!isId(address.id)) return null;
  let query = withVersion(context.db.selectFrom('builds').selectAll(), 'builds').where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const build = await query.executeTakeFirst();
  return build ? visibleBuild(context, build) : null;
}

/** Adds pipeline, organization and access level to a build's row; null if the caller may not see the pipeline. */
export async function visibleBuild(context: Context, build: BuildRow): Promise<BuildSubject | null> {
  const pipeline = await context.uncheckedRows.pipeline.load(build.pipelineId);
  const parent = pipeline ? await visiblePipeline(context, pipeline) : null;
  return parent ? { ...parent, build } : null;
}

/** Finds a job whose pipeline the caller may see. `lock` locks its build's row and reads the job under that lock. */
export async function findJob(
  context: Context,
  address: JobAddress,
  { lock = false }: Finding = {},
): Promise<JobSubject | null> {
  if (!isId(address.id)) return null;
  const parent = await findBuildOfJob(context, address, lock);
  if (!parent) return null;
  const job = await withVersion(context.db.selectFrom('jobs').selectAll(), 'jobs')
    .where('id', '=', address.id)
    .executeTakeFirst();
  if (!job || job.buildId !== parent.build.id) return null;
  if ('types' in address && address.types && !address.types.includes(job.type)) return null;
  return { ...parent, job };
}

async function findBuildOfJob(context: Context, address: JobAddress, lock: boolean): Promise<BuildSubject | null> {
  if ('pipeline' in address) return findBuild(context, address, { lock });
  const row = await context.db.selectFrom('jobs').select('buildId').where('id', '=', address.id).executeTakeFirst();
  const parent = row ? await findBuild(context, { id: row.buildId }, { lock }) : null;
  if (!parent || !('organization' in address)) return parent;
  return parent.organization.slug === address.organization ? parent : null;
}

/** Reads the job's row again under its build's lock. */
export async function rereadJob(context: Context, id: string): Promise<JobRow | null> {
  return (await context.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}
