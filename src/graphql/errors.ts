import { unwrapResolverError } from '@apollo/server/errors';
import { GraphQLError, type GraphQLFormattedError } from 'graphql';
import { Problem, type ProblemCode } from '../domain/problem.js';

/** The `extensions.code` of every way a request can fail (promises.md, "One rule each"). */
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
  unavailable: 'UNAVAILABLE',
};

/** A problem as it stands in `errors`, without place and path. */
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
  const reasons = (details.fields ?? []).map(({ field, code }) => (field === '' ? code : `${field} ${code === 'missing' ? 'is missing' : code}`));
  return reasons.length > 0 ? `${message}: ${reasons.join('; ')}` : message;
}

/** Codes of errors that GraphQL itself and our limits raise; everything else is our fault and is masked. */
const told: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED', 'BAD_USER_INPUT', 'OPERATION_RESOLUTION_FAILURE', 'BAD_REQUEST',
  'PERSISTED_QUERY_NOT_SUPPORTED', 'COMPLEXITY_LIMIT_EXCEEDED', 'RATE_LIMITED',
]);

/** What stands behind an error that is our fault, or null where it is the caller's doing and may be told. */
export function ourFault(error: unknown): unknown {
  const cause = unwrapResolverError(error);
  if (cause instanceof Problem) return null;
  // What a scalar or an argument refuses while it is read arrives as a bare GraphQL error.
  if (cause instanceof GraphQLError && (told.has(cause.extensions['code']) || cause.originalError === undefined)) return null;
  return cause;
}

/** Turns one error into what the client sees; of what is our fault nothing is told (promises.md). */
export function formatError(formatted: GraphQLFormattedError, error: unknown): GraphQLFormattedError {
  const cause = unwrapResolverError(error);
  const place = { ...(formatted.locations ? { locations: formatted.locations } : {}), ...(formatted.path ? { path: formatted.path } : {}) };
  if (cause instanceof Problem) return { ...formatProblem(cause), ...place };
  const code = formatted.extensions?.['code'];
  if (told.has(code)) return { message: formatted.message, ...place, extensions: { code } };
  if (ourFault(error) === null) return { message: formatted.message, ...place, extensions: { code: 'BAD_USER_INPUT' } };
  return { message: 'Internal Server Error', ...place, extensions: { code: 'INTERNAL_SERVER_ERROR' } };
}
