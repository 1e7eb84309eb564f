import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { ObjectStorage } from '../../../storage/storage.js';

/** A file of an export, as it is stored. */
export interface StoredFile {
  name: string;
  bytes: number;
  sha256: string;
}

/** Stores a file as its content comes, compressed if its name ends in `.gz`; never the whole of it in memory. */
export async function storeFile(
  storage: ObjectStorage,
  folder: string,
  name: string,
  content: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  const source = Readable.from(content, { objectMode: false });
  const stored = name.endsWith('.gz') ? createGzip() : null;
  const compressed = stored ? pipeline(source, stored, { signal }) : Promise.resolve();
  // Whatever the content fails with comes out of the stream that is stored, too.
  compressed.catch(() => undefined);
  const body = Readable.from(measured(stored ?? source, hash), { objectMode: false });
  const stop = () => body.destroy(new Error('the export was stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const bytes = await storage.put(`${folder}${name}`, body, {
      contentType: name.endsWith('.log') ? 'text/plain' : 'application/json',
    });
    await compressed;
    return { name, bytes, sha256: hash.digest('hex') };
  } finally {
    signal.removeEventListener('abort', stop);
    source.destroy();
    stored?.destroy();
  }
}

async function* measured(source: Readable, hash: { update(bytes: Buffer): unknown }): AsyncGenerator<Buffer> {
  for await (const piece of source) {
    hash.update(piece as Buffer);
    yield piece as Buffer;
  }
}

/** A JSON array of what pages of rows are presented as. */
export async function* jsonArray<T>(
  pages: AsyncIterable<readonly T[]>,
  present: (row: T) => Promise<object>,
): AsyncGenerator<string> {
  let separator = '[';
  for await (const rows of pages)
    for (const row of rows) {
      yield separator + JSON.stringify(await present(row));
      separator = ',';
    }
  yield separator === '[' ? '[]' : ']';
}
