import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import express from 'express';
import type { IdempotencyClaim } from '../context.js';
import { byteLength, limits } from '../domain/limits.js';
import { Problem } from '../domain/problem.js';

/** What a client asks. */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/** JSON whatever the content type says, or none at all (compatibility 2). */
export const jsonBody: RequestHandler = express.json({ type: () => true, limit: limits.jsonBodyBytes, strict: false });

const malformed = (message: string) => new Problem('malformed', message);

/** Reads a request's body; `variables` may be an object, null, absent, or JSON text (compatibility 4). */
export function readRequest({ body }: Pick<Request, 'body'>): GraphqlRequest {
  if (Array.isArray(body)) throw malformed('Operations cannot be sent in batches');
  const { query, variables, operationName } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof query !== 'string' || query === '') throw malformed('The request body must be a JSON object with a string "query"');
  if (byteLength(query) > limits.graphqlDocumentBytes) throw new Problem('too_large', `The document is larger than ${limits.graphqlDocumentBytes} bytes`);
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') throw malformed('"operationName" must be a string');
  return { query, variables: readVariables(variables), operationName: operationName || undefined };
}

/** The `Idempotency-Key` of a request with a fingerprint of all it asks (promises.md); queries have no use for one. */
export function idempotencyClaim(request: Request, { query, variables, operationName }: GraphqlRequest): IdempotencyClaim | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength) throw malformed(`Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  const asked = JSON.stringify([query, variables ?? null, operationName ?? null]);
  return { key, fingerprint: createHash('sha256').update(`graphql\n${asked}`).digest('hex') };
}

function readVariables(given: unknown): Record<string, unknown> | undefined {
  if (given === undefined || given === null || given === '') return undefined;
  const value = typeof given === 'string' ? parse(given) : given;
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) throw malformed('"variables" must be an object, or JSON text of one');
  return value as Record<string, unknown>;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformed('"variables" is not valid JSON');
  }
}
