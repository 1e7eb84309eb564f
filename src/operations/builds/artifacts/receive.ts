import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '../../../request/context.js';
import { limits } from '../../../domain/limits/limits.js';
import { Problem, wrongState } from '../../../domain/problem.js';
import type { ArtifactRow } from '../../../entities/database.js';
import { isId } from '../../../core/address.js';
import { artifactKey } from '../../../core/build-folder.js';
import { defineOperation } from '../../../core/operation.js';
import { refuseWithoutRoom } from '../../../core/storage-problem.js';
import type { Subject } from '../../../core/subject.js';
import { CheckedBytes, tooManyBytes } from '../../../resources/builds/artifacts/checked-bytes.js';
import { isSigned, linkedArtifacts } from '../../../resources/builds/artifacts/links.js';
import { signedUntil } from '../../../resources/builds/artifacts/signed-until.js';

interface StoredArtifact extends Subject {
  artifact: ArtifactRow;
}

/**
 * Stores the bytes of a registered artifact; the signed URL is the credential. Bytes are counted and hashed while they
 * stream to storage. An upload that breaks off or differs from the registered size or hash leaves nothing. It
 * has no transaction, since none may stay open while bytes travel.
 */
export const receiveArtifact = defineOperation({
  name: 'artifact.receive',
  summary: 'Stores the bytes of an artifact.',
  kind: 'command',
  inTransaction: false,
  // The artifact was registered by its job, which the event stream shows.
  audited: false,
  scope: null,
  access: 'internal',
  input: z.object({
    of: z.union([
      z.object({ id: z.string().max(300) }),
      z.object({
        job: z.string().max(300),
        batch: z.string().max(300),
        path: z.string().max(limits.artifactPathLength),
      }),
    ]),
    ...signedUntil,
    /** Content length announced by the sender; 0 if none. */
    announcedBytes: z.number().min(0),
    /** Starts reading the body; called once the sender is authorized and the announced size is allowed. */
    bytes: z.custom<() => Readable>((value) => typeof value === 'function'),
  }),
  subject: async (context, { of, expires, signature }): Promise<StoredArtifact | null> => {
    const artifact =
      'id' in of
        ? await ofLink(context, of.id, { expires, signature })
        : await ofForm(context, of, { expires, signature });
    return artifact ? { artifact } : null;
  },
  run: async (context, { announcedBytes, bytes }, { artifact }): Promise<{ sha1sum: string }> => {
    if (artifact.state !== 'new' || artifact.uploadDestination !== null)
      throw wrongState(`The artifact cannot be uploaded: its state is ${artifact.state}`);
    if (announcedBytes > artifact.fileSize) throw tooManyBytes(artifact);
    await refuseWithoutRoom(context.services, artifact.fileSize);
    const sha256sum = await store(context, artifact, bytes());
    const stored = await context.db
      .updateTable('artifacts')
      .set({ storedAt: context.now, sha256sum })
      .where('id', '=', artifact.id)
      .where('state', '=', 'new')
      .returning('id')
      .executeTakeFirst();
    if (!stored) await dropUnlessFinished(context, artifact);
    return { sha1sum: artifact.sha1sum };
  },
});

interface Signed {
  expires: number;
  signature: string;
}

async function ofLink(context: Context, id: string, signed: Signed): Promise<ArtifactRow | null> {
  if (!isId(id) || !isSigned(context, 'artifact-upload', signed, id)) return null;
  return (await linkedArtifacts(context).where('a.id', '=', id).executeTakeFirst()) ?? null;
}

async function ofForm(
  context: Context,
  { job, batch, path }: { job: string; batch: string; path: string },
  signed: Signed,
): Promise<ArtifactRow | null> {
  if (!isId(job) || !isId(batch) || !isSigned(context, 'artifact-form', signed, job, batch)) return null;
  const query = linkedArtifacts(context)
    .where('a.jobId', '=', job)
    .where('a.batchId', '=', batch)
    .where('a.path', '=', path)
    .orderBy('a.position')
    .limit(1);
  return (await query.executeTakeFirst()) ?? null;
}

async function store(context: Context, artifact: ArtifactRow, bytes: Readable): Promise<string> {
  const checked = new CheckedBytes(artifact);
  // Keeps the reason: the storage reports only that it failed.
  let cause: unknown = null;
  checked.once('error', (error) => {
    cause = error;
  });
  // Not `pipeline`, which would cut the connection that the refusal has to be answered on.
  const brokenOff = () => {
    if (!bytes.readableEnded) checked.destroy(new Problem('malformed', 'The upload broke off'));
  };
  bytes.on('error', brokenOff).once('close', brokenOff);
  // A stream that broke off before this emits no more events.
  if (bytes.destroyed) brokenOff();
  bytes.pipe(checked);
  try {
    await context.services.storage.put(artifactKey(artifact), checked, {
      contentType: artifact.contentType,
      maxBytes: artifact.fileSize,
    });
  } catch (error) {
    bytes.unpipe(checked);
    if (cause instanceof Problem) throw cause;
    throw error;
  }
  return checked.sha256sum;
}

/** The artifact expired, was deleted, or is gone with its build: no sweep would ever collect these bytes. */
async function dropUnlessFinished(context: Context, { id, ...filed }: ArtifactRow): Promise<void> {
  const now = await context.db.selectFrom('artifacts').select('state').where('id', '=', id).executeTakeFirst();
  // Another upload of the same bytes came first.
  if (now?.state === 'finished') return;
  await context.services.storage.delete(artifactKey({ id, ...filed }));
  throw wrongState('The upload of the artifact has already ended');
}
