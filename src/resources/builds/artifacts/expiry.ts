import { isBuildFinished } from '../../../domain/builds/build-state.js';
import { artifactExpiry } from '../../../domain/retention/due.js';
import { resolvePolicy } from '../../../domain/retention/policy.js';
import type { ArtifactRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';

/**
 * The earliest time at which retention deletes the bytes of an artifact by the age of its build; null without such a
 * policy, for a build that is not over or pinned, and for bytes that are not in the storage.
 */
export async function expiryOfArtifact(
  context: Pick<Context, 'load' | 'references' | 'services'>,
  artifact: ArtifactRow,
): Promise<Date | null> {
  if (artifact.state !== 'finished' || artifact.uploadDestination !== null) return null;
  const { pipelineId, buildId, organizationId } = artifact;
  const [build, pipeline, organization] = await Promise.all([
    context.references.build.load(buildId),
    context.references.pipeline.load(pipelineId),
    context.load.organization.load(organizationId),
  ]);
  if (!build || !pipeline || !organization) return null;
  if (build.finishedAt === null || build.pinnedAt !== null || !isBuildFinished(build.state)) return null;
  const policy = resolvePolicy(pipeline.retention, organization.retention, context.services.retention ?? {});
  return artifactExpiry(policy, build.branch, build.finishedAt);
}
