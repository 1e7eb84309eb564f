import type { Context } from '../../context.js';
import { type ArtifactAddress, isId } from '../address.js';
import { findBuild } from '../find.js';
import type { ArtifactSubject } from '../subject.js';

/**
 * The artifact a caller names, if it may see its pipeline: under its build, under its job, under the organization, or
 * by its id alone (ruling 9). With `lock` its build's row is locked and the artifact read under it.
 */
export async function findArtifact(context: Context, address: ArtifactAddress, { lock = false } = {}): Promise<ArtifactSubject | null> {
  if (!isId(address.id)) return null;
  const named = await context.db.selectFrom('artifacts').select(['buildId', 'jobId']).where('id', '=', address.id).executeTakeFirst();
  // The way to it is walked even where there is none, so that a hidden one cannot be told from a missing one.
  const found = 'pipeline' in address ? await findBuild(context, address, { lock }) : named ? await findBuild(context, { id: named.buildId }, { lock }) : null;
  if (!named || !found || named.buildId !== found.build.id) return null;
  if ('organization' in address && found.organization.slug !== address.organization) return null;
  if ('job' in address && address.job !== undefined && address.job.toLowerCase() !== named.jobId) return null;
  const [artifact, job] = await Promise.all([
    context.db.selectFrom('artifacts').selectAll().where('id', '=', address.id).executeTakeFirst(),
    context.load.job.load(named.jobId),
  ]);
  return artifact && job ? { ...found, artifact, job } : null;
}
