import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { AgentHttpError } from '../http.js';

/** A file to fetch: `url` needs no credential. */
export interface StoredArtifact {
  path: string;
  url: string;
  sha1: string;
}

/**
 * Where a file goes below a folder. Of "pkg" and "pkg/file" the result is "pkg/file", as users of the open-source agent
 * expect. No path leads out of the folder.
 */
export function targetPath(path: string, folder: string): string {
  const parts = path.split(/[\\/]/).filter((part) => part !== '' && part !== '.' && part !== '..');
  const folders = folder.split(sep);
  if (parts.length > 1 && folders.at(-1) === parts[0]) folders.pop();
  return join(folders.join(sep) || sep, ...parts);
}

/**
 * Fetches a file as a stream. It gets its name once it is complete and its SHA-1 is right.
 * @throws AgentHttpError
 */
export async function downloadArtifact(artifact: StoredArtifact, folder: string): Promise<void> {
  const target = targetPath(artifact.path, folder);
  await mkdir(dirname(target), { recursive: true });
  const partial = join(dirname(target), `.${randomUUID()}.partial`);
  try {
    const response = await fetch(artifact.url).catch((error: unknown) => {
      throw broken(artifact, error);
    });
    if (!response.ok || response.body === null)
      throw new AgentHttpError(`${artifact.path}: the server answered ${response.status}`, 'status', response.status);
    const hash = createHash('sha1');
    const hashing = new Transform({
      transform(bytes: Buffer, _, done) {
        hash.update(bytes);
        done(null, bytes);
      },
    });
    await pipeline(Readable.fromWeb(response.body as never), hashing, createWriteStream(partial)).catch(
      (error: unknown) => {
        throw broken(artifact, error);
      },
    );
    if (artifact.sha1 !== '' && hash.digest('hex') !== artifact.sha1)
      throw new AgentHttpError(`${artifact.path}: its SHA-1 is not ${artifact.sha1}`, 'body');
    await rename(partial, target);
  } finally {
    await rm(partial, { force: true });
  }
}

/** An interrupted transfer, which may succeed later; trouble with the local disk stays what it is. */
function broken({ path }: StoredArtifact, error: unknown): unknown {
  const { message, syscall } = error as NodeJS.ErrnoException;
  const local = syscall === 'open' || syscall === 'write';
  return local ? error : new AgentHttpError(`${path}: the transfer broke off: ${message}`, 'network');
}
