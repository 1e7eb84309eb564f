import { DatabaseUnavailableError, type Unavailability } from '../database/faults.js';
import { Problem, type ProblemCode } from '../domain/problem.js';

/**
 * THE map from Problem codes to HTTP statuses; the compiler requires every code. A surface with a different status
 * declares it separately.
 */
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
  storage_full: 507,
  unavailable: 503,
  timed_out: 503,
} as const satisfies Record<ProblemCode, number>;

export interface PlainReply {
  status: number;
  body: { message: string; request_id?: string };
  headers: Record<string, string>;
}

/** Seconds after which the database is worth another try; somebody has to clear a full disk. */
const databaseRetryAfter = (reason: Unavailability) => (reason === 'full' ? 60 : 1);

/**
 * The problem that an error is to its caller: itself, or that the database is unavailable. Null: a fault of the
 * product.
 */
export function problemOf(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  if (error instanceof DatabaseUnavailableError)
    return new Problem('unavailable', error.message, { retryAfter: databaseRetryAfter(error.reason) });
  return null;
}

/**
 * Default HTTP error reply: a Problem becomes its message; any other error becomes 500 with only the request id.
 * `messageOf` changes the message of a Problem, `differs` its status.
 */
export function plainReply(
  error: unknown,
  requestId: string,
  {
    messageOf = (problem) => problem.message,
    differs = {},
  }: { messageOf?: (problem: Problem) => string; differs?: Partial<Record<ProblemCode, number>> } = {},
): PlainReply {
  const problem = problemOf(error);
  if (!problem) return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
  const { retryAfter } = problem.details;
  return {
    status: differs[problem.code] ?? problemStatuses[problem.code],
    body: { message: messageOf(problem) },
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}
