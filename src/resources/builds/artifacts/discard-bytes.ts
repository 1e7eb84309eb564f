import type { Context } from '../../../request/context.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { artifactFolder } from '../../../core/build-folder.js';

const foldersPerMessage = 200;

/**
 * Queues deletion of the bytes of artifacts of one organization after the commit. Bytes that agents stored elsewhere
 * are not deleted.
 */
export function discardBytes(
  context: Context,
  artifacts: readonly Pick<ArtifactRow, 'id' | 'organizationId' | 'buildId' | 'uploadDestination'>[],
): void {
  const ours = artifacts.filter((artifact) => artifact.uploadDestination === null);
  for (let start = 0; start < ours.length; start += foldersPerMessage) {
    const some = ours.slice(start, start + foldersPerMessage);
    context.send({
      topic: 'objects.delete',
      organizationId: some[0]?.organizationId ?? null,
      payload: { prefixes: some.map(artifactFolder) },
    });
  }
}
