/**
 * Every way a request can fail that is not our fault, as one closed list. Operations throw a {@link Problem};
 * each surface maps the whole list, checked by the compiler.
 */
export const problemCodes = [
  'unauthenticated', // no, malformed, unknown, revoked or expired credential
  'scope_missing', // a valid token without the scope the operation needs
  'forbidden', // may see, may not do
  'not_found', // absent or hidden; callers cannot distinguish the two
  'malformed', // a parameter or body that cannot be read at all
  'invalid', // a bad shape or value, field by field
  'not_applicable', // the thing is of a kind or state this never applies to (400 on /v2)
  'wrong_state', // the state forbids it now (422 on /v2)
  'conflict', // another request with the same idempotency key, a name taken meanwhile
  'locked', // cannot be had yet, try again
  'gone', // was there, is over
  'cursor_expired', // a stream cannot start that far back any more
  'slow_consumer', // a stream was not read fast enough
  'too_large',
  'unsupported_media_type',
  'rate_limited',
  'range_not_satisfiable',
  'storage_full', // no room for new bytes; what is stored can be read
  'unavailable', // the process is starting, draining or without its database
  'timed_out', // the deadline of the request has passed
] as const;
export type ProblemCode = (typeof problemCodes)[number];

/** One field that is wrong: `field` in camelCase with dots and brackets, `code` a short sentence or word. */
export interface FieldProblem {
  field: string;
  code: string;
}

export interface ProblemDetails {
  fields?: FieldProblem[];
  /** The scope that is missing. */
  scope?: string;
  /** More for the caller to read beside the message, in the words of the wire. */
  public?: Record<string, string | number>;
  /** Seconds after which another try makes sense. */
  retryAfter?: number;
  /** For logs only; never leaves the process. */
  internal?: string;
}

export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly code: ProblemCode,
    message: string,
    readonly details: ProblemDetails = {},
  ) {
    super(message);
  }
}

export const notFound = (message = 'Not Found') => new Problem('not_found', message);
export const forbidden = (message = 'Forbidden') => new Problem('forbidden', message);
export const wrongState = (message: string) => new Problem('wrong_state', message);
/** The refusal of a change of an archived pipeline, which is read-only. */
export const archivedProblem = () => wrongState('Pipeline is archived and cannot be changed. Unarchive it first.');

/** A field-by-field refusal; surfaces print it in the form that the operation's resource has on /v2. */
export function invalid(fields: FieldProblem[]): Problem {
  return new Problem('invalid', 'Validation Failed', { fields });
}

/** A refusal of one field. */
export const invalidField = (field: string, code: string) => invalid([{ field, code }]);
