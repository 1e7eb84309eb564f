import express, { type Request, type Response } from 'express';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/steps/step.js';

/** JSON objects, or bytes as they are (log chunks, unpacked). */
export type BodyKind = 'json' | 'bytes';

export interface ReadBody {
  json: Readonly<Record<string, Json>>;
  bytes: Buffer;
}

/** Bodies are unpacked on the way in, and both limits hold for what comes out: a small body cannot become a large one. */
const readers = {
  json: express.raw({ type: () => true, limit: limits.jsonBodyBytes }),
  bytes: express.raw({ type: () => true, limit: limits.logChunkBytes }),
} satisfies Record<BodyKind, unknown>;

/** Reads a body whatever its content type says; calls without a body are as good as those with `{}` (trap T22). */
export async function readBody(request: Request, response: Response, kind: BodyKind): Promise<ReadBody> {
  await new Promise<void>((resolve, reject) => {
    readers[kind](request, response, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()));
  });
  const bytes: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return kind === 'json' ? { json: parseObject(bytes), bytes } : { json: {}, bytes };
}

function parseObject(bytes: Buffer): Record<string, Json> {
  const text = bytes.toString('utf8').trim();
  if (text === '' || text === 'null') return {};
  // PostgreSQL holds every character but this one.
  if (/\\u0000/.test(text)) throw new Problem('invalid', 'The request body holds a character that cannot be stored');
  try {
    const value = JSON.parse(text) as Json;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // Told below, like JSON that is no object.
  }
  throw new Problem('malformed', 'The request body must be a JSON object');
}

function bodyProblem(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return new Problem('too_large', 'The request body is too large');
  if (type === 'encoding.unsupported') return new Problem('unsupported_media_type', 'The encoding of the request body is not supported');
  if (error instanceof Error) return new Problem('malformed', 'The request body cannot be read');
  return error;
}
