import type { Context } from '../../../request/context.js';
import { type ArtifactAddress, isId } from '../../../core/address.js';
import { findBuild } from '../../../core/find.js';
import type { ArtifactSubject } from '../../../core/subject.js';

/**
 * Finds an artifact whose pipeline the caller may see: under its build, its job or the organization, or by its id
 * alone. `lock` locks its build's row and reads the artifact under that lock.
 */
export async function findArtifact(
  context: Context,
  address: ArtifactAddress,
  { lock = false } = {},
): Promise<ArtifactSubject | null> {
  if (!isId(address.id)) return null;
  const named = await context.db
    .selectFrom('artifacts')
    .select(['buildId', 'jobId'])
    .where('id', '=', address.id)
    .executeTakeFirst();
  // Checks the parents even if the artifact is missing, so that a hidden artifact and a missing one are answered alike.
  const buildOf = 'pipeline' in address ? address : named && { id: named.buildId };
  const parent = buildOf && (await findBuild(context, buildOf, { lock }));
  if (!named || !parent || named.buildId !== parent.build.id) return null;
  if ('organization' in address && parent.organization.slug !== address.organization) return null;
  if ('job' in address && address.job !== undefined && address.job.toLowerCase() !== named.jobId) return null;
  const [artifact, job] = await Promise.all([
    context.db.selectFrom('artifacts').selectAll().where('id', '=', address.id).executeTakeFirst(),
    context.uncheckedRows.job.load(named.jobId),
  ]);
  return artifact && job ? { ...parent, artifact, job } : null;
}
