import express, { type Request, type Response } from 'express';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json } from '../domain/steps/step.js';

/** A request's body: an object, empty where the request had none, or said `null` or nothing. */
export type JsonBody = Readonly<Record<string, Json>>;

export interface ReadBody {
  json: JsonBody;
  /** The bytes as they came, for the fingerprint of an idempotent request. */
  raw: Buffer;
}

const collect = express.raw({ type: () => true, limit: limits.jsonBodyBytes });
const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/)/i;

/**
 * Reads a body as JSON whatever its content type says (compatibility 1 to 3). Forms that hold no JSON are refused as
 * `unsupported_media_type`, other bytes that are no JSON object as `malformed`, more than the limit as `too_large`:
 * by the Content-Length alone where there is one.
 */
export async function readBody(request: Request, response: Response): Promise<ReadBody> {
  const contentType = request.headers['content-type'] ?? '';
  if (/^multipart\//i.test(contentType)) throw unsupported();
  if (Number(request.headers['content-length'] ?? 0) > limits.jsonBodyBytes) throw tooLarge();
  await new Promise<void>((resolve, reject) => {
    let arrived = 0;
    // The collector tells of too much only once all of it has come in, which may be never.
    request.on('data', (chunk: Buffer) => {
      arrived += chunk.length;
      if (arrived > limits.jsonBodyBytes) reject(tooLarge());
    });
    collect(request, response, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()));
  });
  const raw: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  return { json: parseBody(raw, contentType), raw };
}

function parseBody(raw: Buffer, contentType: string): JsonBody {
  const text = decode(raw).trim();
  if (text === '' || text === 'null') return {};
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw formTypes.test(contentType) ? unsupported() : new Problem('malformed', 'The request body is not valid JSON');
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new Problem('malformed', 'The request body must be a JSON object');
  checkDepth(value, 1);
  return value;
}

/** JSON is UTF-8: bytes that are not would be stored as something else than was sent. A byte order mark is passed over. */
function decode(raw: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw new Problem('malformed', 'The request body is not valid UTF-8');
  }
}

/** Refuses nesting without end, so that whoever walks the body later need not count. */
function checkDepth(value: Json, depth: number): void {
  if (value === null || typeof value !== 'object') return;
  if (depth > limits.jsonDepth) throw new Problem('malformed', `The request body is nested more than ${limits.jsonDepth} levels deep`);
  for (const inner of Object.values(value)) checkDepth(inner as Json, depth + 1);
}

const tooLarge = () => new Problem('too_large', `The request body is larger than ${limits.jsonBodyBytes} bytes`);
const unsupported = () => new Problem('unsupported_media_type', 'The request body must be JSON');

/** What the body reader says is wrong, in our words. */
function bodyProblem(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return tooLarge();
  if (type === 'encoding.unsupported' || type === 'charset.unsupported') return new Problem('unsupported_media_type', 'The encoding of the request body is not supported');
  if (typeof type === 'string' || (error instanceof Error && 'status' in error)) return new Problem('malformed', 'The request body cannot be read');
  return error;
}
