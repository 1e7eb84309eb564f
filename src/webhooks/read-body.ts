import express, { type Request, type Response } from 'express';
import { limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';
import type { Json, JsonObject } from '../domain/steps/step.js';

const readerOf = (limit: number) => express.raw({ type: () => true, limit });
const readers = { [limits.webhookBodyBytes]: readerOf(limits.webhookBodyBytes), [limits.triggerBodyBytes]: readerOf(limits.triggerBodyBytes) };

/** Reads a delivery's body: the bytes that were signed. Both limits hold for what comes out of a packed one. */
export async function readBody(request: Request, response: Response, limit: number = limits.webhookBodyBytes): Promise<Buffer> {
  const readBytes = readers[limit] ?? readerOf(limit);
  await new Promise<void>((resolve, reject) => {
    readBytes(request, response, (error?: unknown) => (error ? reject(bodyProblem(error)) : resolve()));
  });
  return Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
}

/** The payload of a body: JSON, or a form with the JSON in its field `payload`, as one provider sends where nobody asks it otherwise. */
export function readPayload(body: Buffer, contentType: string | undefined): JsonObject {
  const text = body.toString('utf8');
  const json = contentType?.toLowerCase().startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(text).get('payload') ?? '' : text;
  try {
    const value = JSON.parse(json) as Json;
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return storable(value) as JsonObject;
  } catch (error) {
    if (error instanceof Problem) throw error;
    // Told below, like JSON that is no object.
  }
  throw new Problem('malformed', 'The body of a delivery must be a JSON object');
}

/**
 * A value as the database can hold it: characters it cannot hold are replaced, and the secret that old versions of two
 * providers write into the body itself is left out, wherever it stands.
 */
function storable(value: Json, depth = 0): Json {
  if (depth > limits.jsonDepth) throw new Problem('malformed', `The body of a delivery may be nested at most ${limits.jsonDepth} deep`);
  if (typeof value === 'string') return unstorable.test(value) ? value.replace(allUnstorable, '\uFFFD') : value;
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((each) => storable(each, depth + 1));
  const entries = Object.entries(value).filter(([key]) => key !== 'secret');
  return Object.fromEntries(entries.map(([key, inner]) => [storable(key) as string, storable(inner as Json, depth + 1)]));
}

const unstorable = /[\0\p{Cs}]/u;
const allUnstorable = /[\0\p{Cs}]/gu;

function bodyProblem(error: unknown): unknown {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : null;
  if (type === 'entity.too.large') return new Problem('too_large', 'The body of the delivery is too large');
  if (type === 'encoding.unsupported') return new Problem('unsupported_media_type', 'The encoding of the body is not supported');
  return error instanceof Error ? new Problem('malformed', 'The body of the delivery cannot be read') : error;
}
