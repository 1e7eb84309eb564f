import { type FieldProblem, Problem } from '../../domain/problem.js';
import type { JsonObject } from '../../domain/pipelines/steps/step.js';
import { problemStatuses } from '../../http/problem-reply.js';
import { snakeField } from '../requests/field-names.js';

/** Form of the reply to invalid input: a list of fields, or one sentence. */
export type RefusalForm = 'fields' | 'sentence';

/** HTTP status of each problem code. On /v2 `not_applicable` is 400. */
export const problemStatus = { ...problemStatuses, not_applicable: 400 } as const;

export interface ErrorReply {
  status: number;
  body: JsonObject;
  headers: Record<string, string>;
}

/** Returns the reply to a Problem; `refusal` is the operation's form for invalid input. */
export function problemReply(problem: Problem, refusal: RefusalForm = 'fields'): ErrorReply {
  const { retryAfter } = problem.details;
  return {
    status: problemStatus[problem.code],
    body:
      problem.code === 'invalid'
        ? invalidBody(problem, refusal)
        : { message: problem.message, ...problem.details.public },
    headers: {
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      ...(problem.code === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {}),
    },
  };
}

function invalidBody(problem: Problem, refusal: RefusalForm): JsonObject {
  const fields = problem.details.fields ?? [];
  if (fields.length === 0) return { message: problem.message };
  if (refusal === 'sentence') return { message: `Validation failed: ${fields.map(sentence).join(', ')}` };
  return { message: problem.message, errors: fields.map(({ field, code }) => ({ field: snakeField(field), code })) };
}

/** Returns `Name can't be blank` for the field `name` and the code `can't be blank`. */
function sentence({ field, code }: FieldProblem): string {
  const words = snakeField(field).replaceAll('_', ' ');
  return words === ''
    ? code
    : `${words.charAt(0).toUpperCase()}${words.slice(1)} ${code === 'missing' ? 'is missing' : code}`;
}

/** SQLSTATEs of text that PostgreSQL cannot store: the caller's input is invalid. */
const unstorable = new Set(['22021', '22P05']);

/** Returns the reply to an unexpected error: 500 with only the request id, or 400 for text that cannot be stored. */
export function faultReply(error: unknown, requestId: string): ErrorReply {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (unstorable.has(code))
    return problemReply(new Problem('malformed', 'The request contains characters that cannot be stored'));
  return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
}
