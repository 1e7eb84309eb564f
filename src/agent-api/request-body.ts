import type { Request } from 'express';
import { limits } from '../domain/limits/limits.js';
import type { Json } from '../domain/pipelines/steps/step.js';
import { readBody as readBytes, readPackedBody } from '../http/body.js';
import { parseJsonObject } from '../domain/json-text.js';

/** JSON objects, or raw bytes (decompressed log chunks). */
export type BodyKind = 'json' | 'bytes';

export interface ReadBody {
  json: Readonly<Record<string, Json>>;
  bytes: Buffer;
  /** The bytes as they came, if they came gzipped; only of raw bytes. */
  gzip: Buffer | null;
}

const mostBytes: Record<BodyKind, number> = { json: limits.jsonBodyBytes, bytes: limits.logChunkBytes };

/** Reads a body and ignores its content type; agents send some requests without a body, which count as `{}`. */
export async function readBody(request: Request, kind: BodyKind): Promise<ReadBody> {
  const limit = { bytes: mostBytes[kind], message: 'The request body is too large' };
  if (kind === 'bytes') return { json: {}, ...(await readPackedBody(request, limit)) };
  const bytes = await readBytes(request, limit);
  return { json: parseObject(bytes), bytes, gzip: null };
}

function parseObject(bytes: Buffer): Readonly<Record<string, Json>> {
  // Agents forward output of commands. Invalid UTF-8 becomes replacement characters, because a refusal would fail the
  // job.
  const text = new TextDecoder().decode(bytes).trim();
  return text === '' || text === 'null' ? {} : parseJsonObject(text);
}
