import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ObjectStorage } from '../storage.js';
import { logFolder, type ChunkEntry, type LogRef } from './chunk-index.js';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Chunks are compressed fast; pieces, which stay, well. */
const levels = { chunks: 1, pieces: 6 } as const;

/**
 * The key of a stored run. It carries a digest of the raw bytes, so that writing the same bytes again hits the
 * same object and other bytes never replace it.
 */
export function objectKey(
  ref: LogRef,
  kind: keyof typeof levels,
  offset: number,
  sequence: number,
  bytes: Uint8Array,
): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  const place = String(offset).padStart(12, '0');
  return `${logFolder(ref)}${kind}/${place}-${Math.abs(sequence)}-${digest}.gz`;
}

/** Compresses and stores raw bytes. Gives the entry to record; the object is durable by then. */
export async function storeRun(
  storage: ObjectStorage,
  ref: LogRef,
  kind: keyof typeof levels,
  run: { offset: number; sequence: number; bytes: Uint8Array },
): Promise<ChunkEntry> {
  const { offset, sequence, bytes } = run;
  const key = objectKey(ref, kind, offset, sequence, bytes);
  const packed = await compress(bytes, { level: levels[kind] });
  await storage.put(key, packed, { contentType: 'application/gzip' });
  return { offset, sequence, size: bytes.length, key, storedSize: packed.length };
}

/** Returns the raw bytes of an entry, or the reason why they are unavailable. */
export async function loadRun(storage: ObjectStorage, entry: ChunkEntry): Promise<Buffer | string> {
  const stream = await storage.get(entry.key);
  if (!stream) return 'missing';
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  try {
    const bytes = await decompress(Buffer.concat(parts), { maxOutputLength: Math.max(1, entry.size) });
    return bytes.length === entry.size ? bytes : 'of another size than recorded';
  } catch {
    return 'damaged';
  }
}

/** Unpacks the body of a chunk upload. Null where it is no gzip; `'too_large'` beyond the limit, read no further. */
export async function unpackChunk(body: Uint8Array, maxBytes: number): Promise<Buffer | 'too_large' | null> {
  try {
    return await decompress(body, { maxOutputLength: maxBytes });
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'too_large' : null;
  }
}
