import type { Request } from 'express';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import type { Json } from '../../domain/pipelines/steps/step.js';
import { readBody as readBytes, refuseLongBody } from '../../http/body.js';
import { decodeText, parseJsonObject } from '../../domain/json-text.js';

/** A request's JSON object; empty if the body was absent, blank or `null`. */
export type JsonBody = Readonly<Record<string, Json>>;

export interface ReadBody {
  json: JsonBody;
  /** The unparsed bytes, for the fingerprint of an idempotent request. */
  raw: Buffer;
}

const formTypes = /^(?:application\/x-www-form-urlencoded|multipart\/)/i;
const limit = { bytes: limits.jsonBodyBytes };

/**
 * Reads a body as JSON and ignores its content type. Throws `unsupported_media_type` for a form without JSON,
 * `malformed` for other bytes that are not a JSON object, and `too_large` above `jsonBodyBytes`.
 */
export async function readBody(request: Request): Promise<ReadBody> {
  const contentType = request.headers['content-type'] ?? '';
  refuseLongBody(request, limit);
  if (/^multipart\//i.test(contentType)) throw unsupported();
  const raw = await readBytes(request, limit);
  return { json: parseBody(raw, contentType), raw };
}

function parseBody(raw: Buffer, contentType: string): JsonBody {
  const text = decodeText(raw).trim();
  if (text === '' || text === 'null') return {};
  // A form gets an error about its media type, not about its first character.
  if (formTypes.test(contentType) && !isJson(text)) throw unsupported();
  return parseJsonObject(text);
}

function isJson(text: string): boolean {
  return /^[{["]/.test(text);
}

const unsupported = () => new Problem('unsupported_media_type', 'The request body must be JSON');
