import type { Request } from 'express';
import { limits } from '../domain/limits.js';
import type { Json } from '../domain/pipelines/steps/step.js';
import { readBody as readBytes } from '../http/body.js';
import { parseJsonObject } from '../http/json.js';

/** JSON objects, or raw bytes (decompressed log chunks). */
export type BodyKind = 'json' | 'bytes';

export interface ReadBody {
  json: Readonly<Record<string, Json>>;
  bytes: Buffer;
}

const mostBytes: Record<BodyKind, number> = { json: limits.jsonBodyBytes, bytes: limits.logChunkBytes };

/** Reads a body and ignores its content type; agents send some requests without a body, which count as `{}`. */
export async function readBody(request: Request, kind: BodyKind): Promise<ReadBody> {
  const bytes = await readBytes(request, { bytes: mostBytes[kind], message: 'The request body is too large' });
  return kind === 'json' ? { json: parseObject(bytes), bytes } : { json: {}, bytes };
}

function parseObject(bytes: Buffer): Readonly<Record<string, Json>> {
  // Agents forward output of commands. Invalid UTF-8 becomes replacement characters, because a refusal would fail the job.
  const text = new TextDecoder().decode(bytes).trim();
  return text === '' || text === 'null' ? {} : parseJsonObject(text);
}
