import { Problem, type ProblemCode } from './domain/problem.js';

/** THE map from problems to statuses over HTTP (promises.md, "One rule each"); the compiler demands every code. A door that differs says so beside it. */
export const problemStatuses = {
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

export interface PlainReply {
  status: number;
  body: { message: string; request_id?: string };
  headers: Record<string, string>;
}

/**
 * The answer of a door without forms of its own: a problem as its message, anything else without a word of the inside,
 * only what finds it in the log. `messageOf` words a problem otherwise, `differs` gives it another status.
 */
export function plainReply(
  error: unknown,
  requestId: string,
  { messageOf = (problem) => problem.message, differs = {} }: { messageOf?: (problem: Problem) => string; differs?: Partial<Record<ProblemCode, number>> } = {},
): PlainReply {
  if (!(error instanceof Problem)) return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
  const { retryAfter } = error.details;
  return {
    status: differs[error.code] ?? problemStatuses[error.code],
    body: { message: messageOf(error) },
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}
