import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Problem, ProblemCode } from '../../domain/problem.js';
import { problemOf } from '../../http/problem-reply.js';

/** The `extensions.code` of every way a request can fail. */
const codes: Record<ProblemCode, string> = {
  unauthenticated: 'UNAUTHENTICATED',
  scope_missing: 'FORBIDDEN',
  forbidden: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  malformed: 'BAD_USER_INPUT',
  invalid: 'BAD_USER_INPUT',
  not_applicable: 'CONFLICT',
  wrong_state: 'CONFLICT',
  conflict: 'CONFLICT',
  locked: 'CONFLICT',
  gone: 'CONFLICT',
  cursor_expired: 'CURSOR_EXPIRED',
  slow_consumer: 'SLOW_CONSUMER',
  too_large: 'PAYLOAD_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  rate_limited: 'RATE_LIMITED',
  range_not_satisfiable: 'BAD_USER_INPUT',
  storage_full: 'UNAVAILABLE',
  unavailable: 'UNAVAILABLE',
  timed_out: 'TIMEOUT',
};

/** Formats a Problem for `errors`, without locations and path. */
export function formatProblem(problem: Problem): GraphQLFormattedError {
  const { fields, scope, retryAfter, public: more } = problem.details;
  return {
    message: sentence(problem),
    extensions: {
      code: codes[problem.code],
      ...(fields ? { fields: fields.map(({ field, code }) => ({ field, code })) } : {}),
      ...(scope ? { scope } : {}),
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(typeof more?.['cursor'] === 'string' ? { cursor: more['cursor'] } : {}),
    },
  };
}

/** A refusal names its fields in the message too: most clients show nothing else. */
function sentence({ message, details }: Problem): string {
  const reasons = (details.fields ?? []).map(({ field, code }) =>
    field === '' ? code : `${field} ${code === 'missing' ? 'is missing' : code}`,
  );
  return reasons.length > 0 ? `${message}: ${reasons.join('; ')}` : message;
}

/**
 * Codes of errors raised by GraphQL itself and by our limits, which clients may see; other errors are internal and
 * masked.
 */
const publicCodes: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'COMPLEXITY_LIMIT_EXCEEDED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
]);

/** Returns the cause of an internal error, or null for an error of the caller, which is shown. */
export function ourFault(error: unknown): unknown {
  const cause = unwrapResolverError(error);
  if (problemOf(cause)) return null;
  // A scalar or an argument that refuses its value throws a bare GraphQL error.
  if (cause instanceof GraphQLError && (publicCodes.has(cause.extensions['code']) || cause.originalError === undefined))
    return null;
  return cause;
}

/** Formats an error for the client; internal errors are masked. */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = unwrapResolverError(error);
  const place = {
    ...(formatted.locations ? { locations: formatted.locations } : {}),
    ...(formatted.path ? { path: formatted.path } : {}),
  };
  const problem = problemOf(cause);
  if (problem) return { ...formatProblem(problem), ...place };
  const code = formatted.extensions?.['code'];
  if (publicCodes.has(code)) return { message: formatted.message, ...place, extensions: { code } };
  if (ourFault(error) === null) return { message: formatted.message, ...place, extensions: { code: 'BAD_USER_INPUT' } };
  return { message: 'Internal Server Error', ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}
