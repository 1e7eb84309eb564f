import { type FieldProblem, Problem, type ProblemCode } from '../domain/problem.js';

/** THE map from problems to statuses on this door; the compiler demands every code. Collectors print the message. */
const problemStatus = {
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
}

/** The answer to a failure: a problem in its own words, anything else without a word of the inside. */
export function errorReply(error: unknown, requestId: string): ErrorReply {
  if (!(error instanceof Problem)) return { status: 500, body: { message: 'Internal Server Error', request_id: requestId } };
  const { fields = [] } = error.details;
  const message = error.code === 'invalid' && fields.length > 0 ? `Validation failed: ${fields.map(sentence).join(', ')}` : error.message;
  return { status: problemStatus[error.code], body: { message } };
}

/** `runEnv.key`, `missing` as `Run_env.key is missing`. */
function sentence({ field, code }: FieldProblem): string {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${code === 'missing' ? 'is missing' : code}`;
}
