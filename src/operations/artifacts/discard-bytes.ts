import type { Context } from '../../context.js';
import type { ArtifactRow } from '../../entities/database.js';
import { artifactFolder } from '../build-folder.js';

const foldersPerMessage = 200;

/**
 * Asks for the bytes of artifacts of one organization to be collected after the commit. What their agents keep
 * elsewhere is not ours to delete.
 */
export function discardBytes(context: Context, artifacts: readonly Pick<ArtifactRow, 'id' | 'organizationId' | 'buildId' | 'uploadDestination'>[]): void {
  const ours = artifacts.filter((artifact) => artifact.uploadDestination === null);
  for (let start = 0; start < ours.length; start += foldersPerMessage) {
    const some = ours.slice(start, start + foldersPerMessage);
    context.send({ topic: 'objects.delete', organizationId: some[0]?.organizationId ?? null, payload: { prefixes: some.map(artifactFolder) } });
  }
}
