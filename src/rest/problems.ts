import { type FieldProblem, Problem } from '../domain/problem.js';
import type { JsonObject } from '../domain/steps/step.js';
import { problemStatuses } from '../problem-reply.js';
import { snakeField } from './field-names.js';

/** How a refused input reads (api-v2.md, Errors): a list of fields, or one sentence. */
export type RefusalForm = 'fields' | 'sentence';

/** On /v2, what never applies to a thing is a request that makes no sense (api-v2.md, Errors). */
export const problemStatus = { ...problemStatuses, not_applicable: 400 } as const;

export interface ErrorReply {
  status: number;
  body: JsonObject;
  headers: Record<string, string>;
}

/** The answer to a problem of the caller's making; `refusal` is the operation's form for wrong input. */
export function problemReply(problem: Problem, refusal: RefusalForm = 'fields'): ErrorReply {
  const { retryAfter } = problem.details;
  return {
    status: problemStatus[problem.code],
    body: problem.code === 'invalid' ? invalidBody(problem, refusal) : { message: problem.message, ...problem.details.public },
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

/** `name`, `can't be blank` as `Name can't be blank`. */
function sentence({ field, code }: FieldProblem): string {
  const words = snakeField(field).replaceAll('_', ' ');
  return words === '' ? code : `${words.charAt(0).toUpperCase()}${words.slice(1)} ${code === 'missing' ? 'is missing' : code}`;
}

/** The database is away, restarting, or lost the same race too often: another try may well succeed. */
const passing = new Set(['40001', '40P01', '53300', '57P01', '57P03', '08003', '08006', 'ECONNREFUSED', 'ECONNRESET']);

/** The database refused a text that it cannot hold: characters are the caller's doing. */
const unstorable = new Set(['22021', '22P05']);

/** The answer to a failure that is no problem we know: nothing of the inside, only what finds it in the log. */
export function faultReply(error: unknown, requestId: string): ErrorReply {
  const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
  if (passing.has(code)) return problemReply(new Problem('unavailable', 'The service is temporarily unavailable. Please try again.', { retryAfter: 1 }));
  if (unstorable.has(code)) return problemReply(new Problem('malformed', 'The request contains characters that cannot be stored'));
  return { status: 500, body: { message: 'Internal Server Error', request_id: requestId }, headers: {} };
}
