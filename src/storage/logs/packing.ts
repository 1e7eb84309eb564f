import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip, type ZlibOptions } from 'node:zlib';
import type { ObjectStorage } from '../storage.js';
import { logFolder, type ChunkEntry, type LogRef } from './chunk-index.js';

const compress = promisify(gzip);
/** With `info`, which the types leave out, it gives the number of bytes that it has read too. */
const inflate = promisify(gunzip) as unknown as (
  bytes: Uint8Array,
  options: ZlibOptions,
) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>;

/** Chunks that come uncompressed are compressed fast; pieces, which stay, well. */
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
  const place = String(offset).padStart(12, '0');
  return `${logFolder(ref)}${kind}/${place}-${Math.abs(sequence)}-${digestOf(bytes)}.gz`;
}

/** The digest of raw bytes in the key of their object. */
export const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex').slice(0, 32);

/** Compresses the raw bytes of a chunk. */
export const pack = (bytes: Uint8Array): Promise<Buffer> => compress(bytes, { level: levels.chunks });

/**
 * The gzip of a chunk as it was sent, unless it takes more room than its content: headers of any length are valid, and
 * the limits of a log count its content.
 */
function asSent({ bytes, gzip: sent }: Run): Uint8Array | null {
  return sent && sent.length <= bytes.length + bytes.length / 8 + 128 ? sent : null;
}

/** Raw bytes of a log with their place; `gzip` is the same bytes as they were sent. */
interface Run {
  offset: number;
  sequence: number;
  bytes: Uint8Array;
  gzip?: Uint8Array | null;
}

/**
 * Stores raw bytes: as the gzip that they came in, else compressed here. Gives the entry to record; the object is
 * durable by then. `key` is that of the run, if the caller knows it.
 */
export async function storeRun(
  storage: ObjectStorage,
  ref: LogRef,
  kind: keyof typeof levels,
  run: Run,
  key = objectKey(ref, kind, run.offset, run.sequence, run.bytes),
): Promise<ChunkEntry> {
  const { offset, sequence, bytes } = run;
  const packed = asSent(run) ?? (await compress(bytes, { level: levels[kind] }));
  // A key names its bytes, and nobody reads it before its entry is recorded.
  await storage.put(key, packed, { contentType: 'application/gzip', unread: true });
  return { offset, sequence, size: bytes.length, key, storedSize: packed.length };
}

/** Raw bytes of an entry with the gzip that they are stored in. */
export interface LoadedRun {
  bytes: Buffer;
  /** Null if more lies behind it. */
  gzip: Buffer | null;
}

/** Returns the raw bytes of an entry, or the reason why they are unavailable. */
export async function loadRun(storage: ObjectStorage, entry: ChunkEntry): Promise<LoadedRun | string> {
  const stream = await storage.get(entry.key);
  if (!stream) return 'missing';
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  try {
    // One step of the size that is expected instead of many of 16 KiB.
    const most = Math.max(64, entry.size);
    const packed = concatenated(parts);
    const { buffer, engine } = await inflate(packed, { maxOutputLength: most, chunkSize: most + 1, info: true });
    if (buffer.length !== entry.size) return 'of another size than recorded';
    return { bytes: buffer, gzip: engine.bytesWritten === packed.length ? packed : null };
  } catch {
    return 'damaged';
  }
}

const concatenated = (parts: Buffer[]): Buffer => (parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts));

/**
 * Chunks below this size are compressed anew together: apart they take more room, and there are never many bytes of
 * them.
 */
const ownMemberBytes = 16 * 1024;

/**
 * One gzip of several runs: those of some size as they are stored, because gzip streams behind one another are a gzip
 * stream, and small ones between them compressed together.
 */
export async function joinRuns(runs: readonly LoadedRun[]): Promise<Buffer> {
  const members: Buffer[] = [];
  let small: Buffer[] = [];
  const compressSmall = async (): Promise<void> => {
    if (small.length > 0) members.push(await compress(concatenated(small), { level: levels.pieces }));
    small = [];
  };
  for (const { bytes, gzip: stored } of runs) {
    if (!stored || bytes.length < ownMemberBytes) {
      small.push(bytes);
      continue;
    }
    await compressSmall();
    members.push(stored);
  }
  await compressSmall();
  return concatenated(members);
}
