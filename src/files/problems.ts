import { Problem, type ProblemCode } from '../domain/problem.js';

/** THE map from problems to statuses on signed addresses; the compiler demands every code. Agents try every one again (agent-protocol 1.4). */
export const problemStatus = {
  unauthenticated: 401,
  scope_missing: 403,
  forbidden: 403,
  not_found: 404,
  malformed: 400,
  invalid: 404,
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

/** The answer to a failure. An address that cannot be one of ours is as good as one that leads nowhere. */
export function errorReply(error: unknown, requestId: string): ErrorReply {
  if (error instanceof URIError) return { status: 404, body: { message: 'Not Found' }, headers: {} };
  if (!(error instanceof Problem)) return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
  const { retryAfter } = error.details;
  return {
    status: problemStatus[error.code],
    body: { message: error.code === 'invalid' ? 'Not Found' : error.message },
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}
