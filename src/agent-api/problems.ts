import { type FieldProblem, Problem, type ProblemCode } from '../domain/problem.js';

/**
 * THE map from problems to statuses on the agent door; the compiler demands every code. Agents try 429 and 5xx
 * again and give up at any other 4xx (agent-protocol 1.4), so nothing that passes may be among those.
 */
export const problemStatus = {
  unauthenticated: 401,
  scope_missing: 403,
  forbidden: 403,
  not_found: 404,
  malformed: 400,
  invalid: 422,
  not_applicable: 422,
  wrong_state: 422,
  conflict: 409,
  locked: 423,
  gone: 410,
  cursor_expired: 410,
  slow_consumer: 503,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  range_not_satisfiable: 416,
  unavailable: 503,
} as const satisfies Record<ProblemCode, number>;

export interface ErrorReply {
  status: number;
  body: { message: string; request_id?: string };
  headers: Record<string, string>;
}

/** The answer to a failure: a problem in its own words, anything else without a word of the inside. */
export function errorReply(error: unknown, requestId: string): ErrorReply {
  if (error instanceof URIError) return { status: 400, body: { message: 'The path cannot be decoded' }, headers: {} };
  if (!(error instanceof Problem)) return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
  const { retryAfter, fields } = error.details;
  return {
    status: problemStatus[error.code],
    body: { message: error.code === 'invalid' && fields?.length ? `${error.message}: ${fields.map(sentence).join(', ')}` : error.message },
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}

const sentence = ({ field, code }: FieldProblem) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${code === 'missing' ? 'is missing' : code}`;
