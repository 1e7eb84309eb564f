import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, gunzip, gunzipSync } from 'node:zlib';
import { Problem } from '../domain/problem.js';
import { joinShared } from '../event-loop/shared-bytes.js';
import { bodyBudget, type HeldBody } from './body-budget.js';
import { inviteBody } from './expect-continue.js';

export interface BodyLimit {
  /** Bytes the body may have, both as sent and once decompressed. */
  bytes: number;
  /**
   * Fewer bytes once decompressed, where the sender has no need to compress: few bytes sent become many to be worked
   * on.
   */
  decompressedBytes?: number;
  /** Message of the refusal; the default names the limit. */
  message?: string;
}

/**
 * Throws `too_large` if the Content-Length exceeds the limit, before any byte of the body is read. A surface calls
 * this, or {@link readBody}, after it has identified the caller.
 */
export function refuseLongBody(request: IncomingMessage, limit: BodyLimit): void {
  if (Number(request.headers['content-length'] ?? 0) > limit.bytes) throw tooLarge(limit);
}

/**
 * Reads a whole body, decompressed (gzip, deflate, br). Throws `too_large` as soon as the announced, received or
 * decompressed size passes the limit, `unsupported_media_type` for another encoding, `malformed` for a body that breaks
 * off or cannot be decompressed, `unavailable` while others of the process have no room for it (`body-budget.ts`). The
 * connection stays open for the reply.
 */
export const readBody = (request: IncomingMessage, limit: BodyLimit): Promise<Buffer> =>
  readJoined(request, limit, (pieces) => Buffer.concat(pieces));

/**
 * Reads a body like {@link readBody}, a large one into memory that all threads read: for bodies that are worked on in
 * threads.
 */
export const readSharedBody = (request: IncomingMessage, limit: BodyLimit): Promise<Buffer> =>
  readJoined(request, limit, joinShared);

type Join = (pieces: Buffer[]) => Buffer | Promise<Buffer>;

async function readJoined(request: IncomingMessage, limit: BodyLimit, join: Join): Promise<Buffer> {
  refuseLongBody(request, limit);
  const decoder = decoderOf(request);
  const budget = bodyBudget.hold(request, limit.bytes);
  inviteBody(request);
  const disconnect = decoder ? decompress(request, decoder, limit) : null;
  try {
    const { bytes, decompressedBytes = bytes } = limit;
    const most = decoder ? { ...limit, bytes: decompressedBytes } : limit;
    return await join(await collect(decoder ?? request, most, budget));
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw unreadable();
  } finally {
    disconnect?.();
  }
}

/** A body and, if it came as gzip, the bytes as they came: a whole gzip stream with nothing before or behind it. */
export interface PackedBody {
  bytes: Buffer;
  gzip: Buffer | null;
}

/**
 * Content up to this size is decompressed where it is, 100 kB of log in 0.15 ms: to hand it to a thread and back takes
 * the event loop twice as long.
 */
const atOnceBytes = 128 * 1024;

/**
 * Reads a body like {@link readBody} and keeps what was sent of a gzipped one, for callers that store it. It is
 * decompressed at once, in a thread unless it is small, so the limit must be small enough to be held twice.
 */
export async function readPackedBody(request: IncomingMessage, limit: BodyLimit): Promise<PackedBody> {
  if (!gzipNames.has(encodingOf(request))) return { bytes: await readBody(request, limit), gzip: null };
  refuseLongBody(request, limit);
  const budget = bodyBudget.hold(request, limit.bytes);
  inviteBody(request);
  const sent = await collectSent(request, limit, budget);
  const { bytes: maxOutputLength } = limit;
  // The sender says in the last bytes how long the content is; if that is wrong it only takes more steps.
  const said = sent.length < 18 ? 0 : sent.readUInt32LE(sent.length - 4);
  budget.grow(sent.length + Math.min(said, maxOutputLength));
  if (said <= Math.min(atOnceBytes, maxOutputLength) && sent.length <= atOnceBytes) {
    const small = decompressSmall(sent, said);
    if (small) return small;
  }
  return new Promise((resolve, reject) => {
    const options = { maxOutputLength, chunkSize: Math.max(64, Math.min(said, maxOutputLength) + 1), info: true };
    gunzip(sent, options, (error, result) => {
      if (error) return reject(isTooLong(error) ? tooLarge(limit) : unreadable());
      resolve(packed(sent, result));
    });
  });
}

/** Null for content that is larger than it says, and for a broken one: the thread finds out which. */
function decompressSmall(sent: Buffer, said: number): PackedBody | null {
  try {
    return packed(
      sent,
      gunzipSync(sent, { maxOutputLength: Math.max(1, said), chunkSize: Math.max(64, said + 1), info: true }),
    );
  } catch {
    return null;
  }
}

/** `result` is the result of a decompression with `info`: the types know only the result without it. */
function packed(sent: Buffer, result: unknown): PackedBody {
  const { buffer, engine } = result as { buffer: Buffer; engine: { bytesWritten: number } };
  return { bytes: buffer, gzip: engine.bytesWritten === sent.length ? sent : null };
}

async function collectSent(request: IncomingMessage, limit: BodyLimit, budget: HeldBody): Promise<Buffer> {
  try {
    return Buffer.concat(await collect(request, limit, budget));
  } catch (error) {
    throw error instanceof Problem ? error : unreadable();
  }
}

const isTooLong = (error: Error) => 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

async function collect(source: Readable, limit: BodyLimit, budget: HeldBody): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Not destroyed on the way out: the reply still has to leave on the request's connection.
  for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > limit.bytes) throw tooLarge(limit);
    budget.grow(size);
    chunks.push(chunk);
  }
  return chunks;
}

/** Pipes the request through the decoder; returns the function that disconnects them. */
function decompress(request: IncomingMessage, decoder: Transform, limit: BodyLimit): () => void {
  let received = 0;
  // Compressed bytes may go on without any output, as in the header of a gzip file.
  const count = (chunk: Buffer) => {
    received += chunk.length;
    if (received > limit.bytes) decoder.destroy(tooLarge(limit));
  };
  const brokenOff = () => {
    if (!request.readableEnded) decoder.destroy(new Error('the request broke off'));
  };
  request.on('data', count).on('error', brokenOff).on('close', brokenOff);
  if (request.destroyed) brokenOff();
  request.pipe(decoder);
  return () => {
    request.off('data', count).off('close', brokenOff);
    request.unpipe(decoder);
    // A destroyed decoder may still emit an error.
    decoder.on('error', () => undefined).destroy();
  };
}

const gzipNames: ReadonlySet<string> = new Set(['gzip', 'x-gzip']);

const encodingOf = ({ headers }: IncomingMessage) => (headers['content-encoding'] ?? 'identity').trim().toLowerCase();

function decoderOf(request: IncomingMessage): Transform | null {
  switch (encodingOf(request)) {
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new Problem('unsupported_media_type', 'The encoding of the request body is not supported');
  }
}

const tooLarge = ({ bytes, message }: BodyLimit) =>
  new Problem('too_large', message ?? `The request body is larger than ${bytes} bytes`);

const unreadable = () => new Problem('malformed', 'The request body cannot be read');
