import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { Problem, wrongState } from '../../domain/problem.js';
import type { ArtifactRow } from '../../entities/database.js';
import { StorageError } from '../../storage/storage.js';
import { isId } from '../address.js';
import { artifactKey } from '../build-folder.js';
import { defineOperation } from '../operation.js';
import type { Subject } from '../subject.js';
import { CheckedBytes } from './checked-bytes.js';
import { isSigned } from './links.js';
import { signedUntil } from './signed-until.js';

interface StoredArtifact extends Subject {
  artifact: ArtifactRow;
}

/**
 * Takes the bytes of a registered artifact (agent-protocol 7.4): the signature of the address is the credential. They
 * are counted and hashed on their way into the storage; an upload that breaks off, or is not what was announced,
 * leaves nothing. To the executor it is a query: no transaction stays open while bytes travel.
 */
export const receiveArtifact = defineOperation({
  name: 'artifact.receive',
  summary: 'Stores the bytes of an artifact.',
  kind: 'query',
  scope: null,
  access: 'internal',
  input: z.object({
    of: z.union([z.object({ id: z.string().max(300) }), z.object({ job: z.string().max(300), batch: z.string().max(300), path: z.string().max(limits.artifactPathLength) })]),
    ...signedUntil,
    bytes: z.instanceof(Readable),
  }),
  subject: async (context, { of, expires, signature }): Promise<StoredArtifact | null> => {
    const artifact = 'id' in of ? await ofLink(context, of.id, { expires, signature }) : await ofForm(context, of, { expires, signature });
    return artifact ? { artifact } : null;
  },
  run: async (context, { bytes }, { artifact }): Promise<{ sha1sum: string }> => {
    if (artifact.state !== 'new' || artifact.uploadDestination !== null) throw wrongState(`The artifact does not wait for its bytes: its state is ${artifact.state}`);
    const sha256sum = await store(context, artifact, bytes);
    const kept = await context.db
      .updateTable('artifacts')
      .set({ storedAt: context.now, sha256sum })
      .where('id', '=', artifact.id)
      .where('state', '=', 'new')
      .returning('id')
      .executeTakeFirst();
    if (!kept) await dropUnlessFinished(context, artifact);
    return { sha1sum: artifact.sha1sum };
  },
});

interface Signed {
  expires: number;
  signature: string;
}

async function ofLink(context: Context, id: string, signed: Signed): Promise<ArtifactRow | null> {
  if (!isId(id) || !isSigned(context, 'artifact-upload', signed, id)) return null;
  return (await context.db.selectFrom('artifacts').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

async function ofForm(context: Context, { job, batch, path }: { job: string; batch: string; path: string }, signed: Signed): Promise<ArtifactRow | null> {
  if (!isId(job) || !isId(batch) || !isSigned(context, 'artifact-form', signed, job, batch)) return null;
  const rows = await context.db.selectFrom('artifacts').selectAll().where('jobId', '=', job).where('batchId', '=', batch).where('path', '=', path).orderBy('position').execute();
  return rows[0] ?? null;
}

async function store(context: Context, artifact: ArtifactRow, bytes: Readable): Promise<string> {
  const checked = new CheckedBytes(artifact);
  // Why it failed is kept: the storage tells only that it did.
  let cause: unknown = null;
  checked.once('error', (error) => {
    cause = error;
  });
  // Not `pipeline`, which would cut the connection that the refusal has to be answered on.
  const brokenOff = () => {
    if (!bytes.readableEnded) checked.destroy(new Problem('malformed', 'The upload broke off'));
  };
  bytes.once('error', brokenOff).once('close', brokenOff);
  bytes.pipe(checked);
  try {
    await context.services.storage.put(artifactKey(artifact), checked, { contentType: artifact.contentType, maxBytes: artifact.fileSize });
  } catch (error) {
    bytes.unpipe(checked);
    if (cause instanceof Problem) throw cause;
    if (error instanceof StorageError && error.code === 'full') throw new Problem('unavailable', 'There is no space left for artifacts', { retryAfter: 60 });
    throw error;
  }
  return checked.sha256sum;
}

/** The artifact was given up, deleted, or is gone with its build: nobody would ever collect these bytes (I19). */
async function dropUnlessFinished(context: Context, { id, ...filed }: ArtifactRow): Promise<void> {
  const now = await context.db.selectFrom('artifacts').select('state').where('id', '=', id).executeTakeFirst();
  // Another upload of the same bytes came first.
  if (now?.state === 'finished') return;
  await context.services.storage.delete(artifactKey({ id, ...filed }));
  throw wrongState('The artifact does not wait for its bytes any more');
}
