import type { Readable } from 'node:stream';
import { artifactKey } from '../../../core/build-folder.js';
import type { Subject } from '../../../core/subject.js';
import { Problem } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import type { Context } from '../../../request/context.js';
import type { ByteRange } from '../../../storage/storage.js';

/** An artifact whose bytes can be streamed; none of them is in memory yet. */
export interface ReadableArtifact extends Subject {
  artifact: ArtifactRow;
  open(range?: ByteRange): Promise<Readable>;
}

/** Whether the bytes of an artifact are in the storage, by what its row says. */
export const hasStoredBytes = ({ state, uploadDestination }: Pick<ArtifactRow, 'state' | 'uploadDestination'>) =>
  state === 'finished' && uploadDestination === null;

/** Looks for the bytes of an artifact; throws `not_found`, and logs it, where they are missing. */
export async function readableArtifact(
  { services: { storage, log } }: Pick<Context, 'services'>,
  artifact: ArtifactRow,
): Promise<ReadableArtifact> {
  const key = artifactKey(artifact);
  const missing = () => {
    log.error({ artifactId: artifact.id, key }, 'bytes of an artifact are missing');
    return new Problem('not_found', 'Not Found');
  };
  if ((await storage.stat(key))?.size !== artifact.fileSize) throw missing();
  return {
    artifact,
    open: async (range) => {
      const bytes = await storage.get(key, range);
      if (!bytes) throw missing();
      return bytes;
    },
  };
}
