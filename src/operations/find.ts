import { pipelineAccess, pipelineIsVisible, standing } from '../auth/authorize.js';
import type { Context } from '../context.js';
import type { BuildRow, JobRow, OrganizationRow, PipelineRow } from '../entities/database.js';
import { type BuildAddress, isId, type JobAddress, type OrganizationAddress, type PipelineAddress, readNumber } from './address.js';
import type { BuildSubject, JobSubject, OrganizationSubject, PipelineSubject } from './subject.js';

/** `lock`: take the row lock that every change of the thing goes under (builds: the build row; jobs: their build's). */
interface Finding {
  lock?: boolean;
}

/** The organization a caller names, if it may see it: a member, or a visitor of what is public there. */
export async function findOrganization(context: Context, address: OrganizationAddress, visitors = false): Promise<OrganizationSubject | null> {
  const query = context.db.selectFrom('organizations').selectAll();
  const organization =
    'slug' in address
      ? await query.where('slug', '=', address.slug).executeTakeFirst()
      : isId(address.id)
        ? await query.where('id', '=', address.id).executeTakeFirst()
        : undefined;
  if (!organization) return null;
  const role = standing(context.actor, organization.id);
  if (role === null || (role === 'visitor' && !visitors)) return null;
  return { organization };
}

/** The pipeline a caller names, if it may see it, with the caller's level on it. */
export async function findPipeline(context: Context, address: PipelineAddress, { lock = false }: Finding = {}): Promise<PipelineSubject | null> {
  const organization = 'organization' in address ? await findOrganization(context, { slug: address.organization }, true) : null;
  if ('organization' in address && !organization) return null;
  if (!('organization' in address) && !isId(address.id)) return null;
  let query = context.db.selectFrom('pipelines').selectAll();
  query =
    'organization' in address
      ? query.where('organizationId', '=', organization?.organization.id ?? '').where('slug', '=', address.slug)
      : query.where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const pipeline = await query.executeTakeFirst();
  return pipeline ? visiblePipeline(context, pipeline, organization?.organization ?? null) : null;
}

/** Adds organization and level to a pipeline's row, or null where the caller may not see it. */
export async function visiblePipeline(context: Context, pipeline: PipelineRow, known: OrganizationRow | null = null): Promise<PipelineSubject | null> {
  const organization = known ?? (await context.load.organization.load(pipeline.organizationId));
  if (!organization) return null;
  const level = await pipelineAccess(context.db, context.actor, organization, pipeline);
  return level ? { organization, pipeline, level } : null;
}

/** Of these pipelines those the caller may see. */
export async function visiblePipelineIds(context: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await context.db
    .selectFrom('pipelines as p')
    .innerJoin('organizations as o', 'o.id', 'p.organizationId')
    .select('p.id')
    .where('p.id', 'in', ids)
    .where(pipelineIsVisible(context.actor))
    .execute();
  return rows.map((row) => row.id);
}

/** The build a caller names, if it may see its pipeline. */
export async function findBuild(context: Context, address: BuildAddress, { lock = false }: Finding = {}): Promise<BuildSubject | null> {
  if ('organization' in address) {
    const number = readNumber(address.number);
    const found = await findPipeline(context, { organization: address.organization, slug: address.pipeline });
    if (!found || number === null) return null;
    let query = context.db.selectFrom('builds').selectAll().where('pipelineId', '=', found.pipeline.id).where('number', '=', number);
    if (lock) query = query.forUpdate();
    const build = await query.executeTakeFirst();
    return build ? { ...found, build } : null;
  }
  if (!isId(address.id)) return null;
  let query = context.db.selectFrom('builds').selectAll().where('id', '=', address.id);
  if (lock) query = query.forUpdate();
  const build = await query.executeTakeFirst();
  return build ? visibleBuild(context, build) : null;
}

/** Adds pipeline, organization and level to a build's row, or null where the caller may not see it. */
export async function visibleBuild(context: Context, build: BuildRow): Promise<BuildSubject | null> {
  const pipeline = await context.load.pipeline.load(build.pipelineId);
  const found = pipeline ? await visiblePipeline(context, pipeline) : null;
  return found ? { ...found, build } : null;
}

/** The job a caller names, if it may see its pipeline. With `lock` its build's row is locked and the job read under it. */
export async function findJob(context: Context, address: JobAddress, { lock = false }: Finding = {}): Promise<JobSubject | null> {
  if (!isId(address.id)) return null;
  const found = await findBuildOfJob(context, address, lock);
  if (!found) return null;
  const job = await context.db.selectFrom('jobs').selectAll().where('id', '=', address.id).executeTakeFirst();
  if (!job || job.buildId !== found.build.id) return null;
  if ('types' in address && address.types && !address.types.includes(job.type)) return null;
  return { ...found, job };
}

async function findBuildOfJob(context: Context, address: JobAddress, lock: boolean): Promise<BuildSubject | null> {
  if ('pipeline' in address) return findBuild(context, address, { lock });
  const row = await context.db.selectFrom('jobs').select('buildId').where('id', '=', address.id).executeTakeFirst();
  const found = row ? await findBuild(context, { id: row.buildId }, { lock }) : null;
  if (!found || !('organization' in address)) return found;
  return found.organization.slug === address.organization ? found : null;
}

/** The job's row as it is now, read again under its build's lock. */
export async function rereadJob(context: Context, id: string): Promise<JobRow | null> {
  return (await context.db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}
