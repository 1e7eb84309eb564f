import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { IdempotencyClaim } from '../../context.js';
import { byteLength, limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';
import { readBody } from '../../http/body.js';
import { decodeText, parseJson } from '../../http/json.js';
import { refuseDeepDocument } from '../limits/brackets.js';

/** A GraphQL request. */
export interface GraphqlRequest {
  query: string;
  variables: Record<string, unknown> | undefined;
  operationName: string | undefined;
}

/** A JSON value of a request with the object around it. */
const bounds = { depth: limits.jsonDepth + 10 };

/** Reads a JSON body and ignores its content type; an absent body is empty. */
export const jsonBody: RequestHandler = async (request, _response, next) => {
  const text = decodeText(
    await readBody(request, { bytes: limits.jsonBodyBytes, message: 'The request body is too large' }),
  );
  request.body = text.trim() === '' ? {} : parseJson(text, bounds);
  next();
};

const malformed = (message: string) => new Problem('malformed', message);

/** Reads a request's body; `variables` may be an object, null, absent, or JSON text. */
export function readRequest({ body }: Pick<Request, 'body'>): GraphqlRequest {
  if (Array.isArray(body)) throw malformed('Operations cannot be sent in batches');
  const { query, variables, operationName } = (typeof body === 'object' && body !== null ? body : {}) as Record<
    string,
    unknown
  >;
  if ((query === undefined || query === null) && isPersisted(body)) throw new PersistedQueryError();
  if (typeof query !== 'string' || query === '')
    throw malformed('The request body must be a JSON object with a string "query"');
  if (byteLength(query) > limits.graphqlDocumentBytes)
    throw new Problem('too_large', `The document is larger than ${limits.graphqlDocumentBytes} bytes`);
  refuseDeepDocument(query);
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw malformed('"operationName" must be a string');
  return { query, variables: readVariables(variables), operationName: operationName || undefined };
}

/** Refuses a query that is named by its hash: clients of that protocol then send its text. */
export class PersistedQueryError extends Error {
  constructor() {
    super('PersistedQueryNotSupported');
  }
}

/** Whether a request names its query by a hash, as automatic persisted queries do. */
function isPersisted(body: unknown): boolean {
  const { extensions } = (body ?? {}) as { extensions?: unknown };
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}

/** The `Idempotency-Key` of a request with a fingerprint of all it asks; queries have no use for one. */
export function idempotencyClaim(
  request: Request,
  { query, variables, operationName }: GraphqlRequest,
): IdempotencyClaim | undefined {
  const key = request.get('Idempotency-Key');
  if (key === undefined || key.trim() === '') return undefined;
  if (key.length > limits.idempotencyKeyLength)
    throw malformed(`Idempotency-Key is longer than ${limits.idempotencyKeyLength} characters`);
  const fingerprinted = JSON.stringify([query, variables ?? null, operationName ?? null]);
  return { key, fingerprint: createHash('sha256').update(`graphql\n${fingerprinted}`).digest('hex') };
}

function readVariables(variables: unknown): Record<string, unknown> | undefined {
  if (variables === undefined || variables === null || variables === '') return undefined;
  const value = typeof variables === 'string' ? parseVariables(variables) : variables;
  if (value === null) return undefined;
  if (typeof value !== 'object' || Array.isArray(value))
    throw malformed('"variables" must be an object, or JSON text of one');
  return value as Record<string, unknown>;
}

function parseVariables(text: string): unknown {
  try {
    return parseJson(text, bounds);
  } catch {
    throw malformed('"variables" is not valid JSON');
  }
}
