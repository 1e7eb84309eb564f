import { createHash } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import type { IdempotencyClaim } from '../../request/context.js';
import { byteLength, limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { readBody } from '../../http/body.js';
import { decodeText, parseJson } from '../../domain/json-text.js';
import type { PersistedDocuments } from '../../services/services.js';
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

/**
 * Reads a request's body; `variables` may be an object, null, absent, or JSON text. Where a deployment names the only
 * documents that are taken, the document may be named by its id or hash, and throws {@link DocumentRefusal} for any
 * other.
 */
export function readRequest({ body }: Pick<Request, 'body'>, allowed: AllowedDocuments = {}): GraphqlRequest {
  if (Array.isArray(body)) throw malformed('Operations cannot be sent in batches');
  const members = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const { variables, operationName } = members;
  const query = documentOf(members, allowed);
  if (typeof query !== 'string' || query === '')
    throw malformed('The request body must be a JSON object with a string "query"');
  if (byteLength(query) > limits.graphqlDocumentBytes)
    throw new Problem('too_large', `The document is larger than ${limits.graphqlDocumentBytes} bytes`);
  refuseDeepDocument(query);
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string')
    throw malformed('"operationName" must be a string');
  return { query, variables: readVariables(variables), operationName: operationName || undefined };
}

/**
 * The only documents that are taken, and whether the session of the console sends this one; absent for any document.
 */
export interface AllowedDocuments {
  documents?: PersistedDocuments | undefined;
  session?: boolean;
}

/** A document that is not taken, or not by its hash. */
export class DocumentRefusal extends Error {
  constructor(
    message: string,
    readonly code: 'PERSISTED_QUERY_NOT_SUPPORTED' | 'PERSISTED_QUERY_NOT_IN_LIST' | 'QUERY_NOT_IN_SAFELIST',
  ) {
    super(message);
  }
}

/** Returns the document of a request, which may be named where documents are listed. */
function documentOf(members: Record<string, unknown>, { documents, session = false }: AllowedDocuments): unknown {
  const { query } = members;
  const named = query === undefined || query === null || query === '';
  const hash = named ? hashIn(members) : undefined;
  if (!documents) {
    // Clients of that protocol then send the text.
    if (hash !== undefined) throw new DocumentRefusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
    return query;
  }
  const id = hash ?? (named ? members['documentId'] : undefined);
  if (typeof id === 'string') {
    const text = documents.byId(id);
    if (text !== undefined) return text;
    throw new DocumentRefusal('No document of this installation has this id', 'PERSISTED_QUERY_NOT_IN_LIST');
  }
  if (typeof query === 'string' && query !== '' && !documents.includes(query, { session }))
    throw new DocumentRefusal('This installation executes listed documents only', 'QUERY_NOT_IN_SAFELIST');
  return query;
}

/** The hash by which a request names its query, as automatic persisted queries do; undefined without one. */
function hashIn({ extensions }: Record<string, unknown>): unknown {
  if (typeof extensions !== 'object' || extensions === null || !('persistedQuery' in extensions)) return undefined;
  const { persistedQuery } = extensions;
  return (persistedQuery as { sha256Hash?: unknown } | null)?.sha256Hash ?? null;
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
