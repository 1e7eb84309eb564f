import type { ArtifactRow } from '../entities/database.js';

/** Storage folder of a build; `logFolder` of `storage/logs/chunk-index.ts` lies in it. */
export function buildFolder(organizationId: string, buildId: string): string {
  return `organizations/${organizationId}/builds/${buildId}/`;
}

type Filed = Pick<ArtifactRow, 'id' | 'organizationId' | 'buildId'>;

/** Storage folder of one artifact, which `objects.delete` deletes. */
export function artifactFolder({ id, organizationId, buildId }: Filed): string {
  return `${buildFolder(organizationId, buildId)}artifacts/${id}/`;
}

/** The storage key of one artifact's bytes. */
export function artifactKey(artifact: Filed): string {
  return `${artifactFolder(artifact)}content`;
}
