import type { Context } from '../../context.js';
import type { ArtifactRow } from '../../entities/database.js';
import { artifactFolder } from '../build-folder.js';

/** Asks for the bytes of artifacts to be collected after the commit. What their agents keep elsewhere is not ours to delete. */
export function discardBytes(context: Context, artifacts: readonly Pick<ArtifactRow, 'id' | 'organizationId' | 'buildId' | 'uploadDestination'>[]): void {
  const ours = artifacts.filter((artifact) => artifact.uploadDestination === null);
  const [first] = ours;
  if (first) context.send({ topic: 'objects.delete', organizationId: first.organizationId, payload: { prefixes: ours.map(artifactFolder) } });
}
