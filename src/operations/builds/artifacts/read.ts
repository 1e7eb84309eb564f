import type { Readable } from 'node:stream';
import { z } from 'zod';
import { Problem } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import type { ByteRange } from '../../../storage/storage.js';
import { isId } from '../../../core/address.js';
import { artifactKey } from '../../../core/build-folder.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { isSigned, linkedArtifacts } from '../../../resources/builds/artifacts/links.js';
import { signedUntil } from '../../../resources/builds/artifacts/signed-until.js';

/** An artifact whose bytes can be streamed; none of them is in memory yet. */
export interface ReadableArtifact extends Subject {
  artifact: ArtifactRow;
  open(range?: ByteRange): Promise<Readable>;
}

/** Opens the bytes of a finished artifact; the signed URL is the credential. */
export const readArtifact = defineOperation({
  name: 'artifact.read',
  summary: 'Returns the bytes of an artifact.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({ id: z.string().max(300), ...signedUntil }),
  subject: async (context, { id, expires, signature }): Promise<(Subject & { artifact: ArtifactRow }) | null> => {
    if (!isId(id) || !isSigned(context, 'artifact-download', { expires, signature }, id)) return null;
    const artifact = await linkedArtifacts(context).where('a.id', '=', id).executeTakeFirst();
    return artifact?.state === 'finished' && artifact.uploadDestination === null ? { artifact } : null;
  },
  run: async (context, _input, { artifact }): Promise<ReadableArtifact> => {
    const { storage, log } = context.services;
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
  },
});
