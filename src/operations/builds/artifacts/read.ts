import { z } from 'zod';
import type { ArtifactRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { defineOperation } from '../../../core/operation.js';
import type { Subject } from '../../../core/subject.js';
import { isSigned, linkedArtifacts } from '../../../resources/builds/artifacts/links.js';
import {
  hasStoredBytes,
  readableArtifact,
  type ReadableArtifact,
} from '../../../resources/builds/artifacts/readable-artifact.js';
import { signedUntil } from '../../../resources/builds/artifacts/signed-until.js';

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
    return artifact && hasStoredBytes(artifact) ? { artifact } : null;
  },
  run: (context, _input, { artifact }): Promise<ReadableArtifact> => readableArtifact(context, artifact),
});
