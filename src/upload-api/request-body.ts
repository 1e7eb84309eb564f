import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate, gunzipSync } from 'node:zlib';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';

const tooLarge = () => new Problem('too_large', `The upload is larger than ${limits.testUploadBytes} bytes; send it in several with the same key`);

/**
 * The whole body, unpacked. The limit holds for what arrives, by the Content-Length alone where there is one, and for
 * what comes out of it: a small body cannot become a large one.
 */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limits.testUploadBytes) throw tooLarge();
  const unpacked = unpack(request);
  const pieces: Buffer[] = [];
  let size = 0;
  try {
    // The request itself must outlive a refusal: the answer goes out on its connection.
    for await (const piece of unpacked.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += piece.length;
      if (size > limits.testUploadBytes) throw tooLarge();
      pieces.push(piece);
    }
  } catch (error) {
    if (error instanceof Problem) throw error;
    throw new Problem('malformed', 'The request body cannot be read');
  } finally {
    if (unpacked !== request) unpacked.destroy();
  }
  return Buffer.concat(pieces);
}

function unpack(request: IncomingMessage): Readable {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return request;
  if (encoding !== 'gzip' && encoding !== 'x-gzip' && encoding !== 'deflate') throw new Problem('unsupported_media_type', 'The encoding of the request body is not supported');
  const inflate = encoding === 'deflate' ? createInflate() : createGunzip();
  request.once('error', (error) => inflate.destroy(error));
  request.once('aborted', () => inflate.destroy(new Error('the client went away')));
  return request.pipe(inflate);
}

/** A file that was packed before it was sent, unpacked within the same limit. */
export function unpackFile(bytes: Buffer): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return gunzipSync(bytes, { maxOutputLength: limits.testUploadBytes });
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new Problem('malformed', 'The data file cannot be unpacked');
  }
}

/** Results are UTF-8: bytes that are not would be stored as something else than was sent. */
export function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed', 'The upload is not valid UTF-8');
  }
}
