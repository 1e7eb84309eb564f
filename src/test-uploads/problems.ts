import type { FieldProblem, Problem } from '../domain/problem.js';
import { plainReply, type PlainReply } from '../http/problem-reply.js';

/** The answer to a failure; collectors print the message, so it names the fields that are wrong. */
export const errorReply = (error: unknown, requestId: string): PlainReply =>
  plainReply(error, requestId, { messageOf });

function messageOf({ code, message, details: { fields = [] } }: Problem): string {
  return code === 'invalid' && fields.length > 0 ? `Validation failed: ${fields.map(sentence).join(', ')}` : message;
}

/** `runEnv.key`, `missing` as `Run_env.key is missing`. */
function sentence({ field, code }: FieldProblem): string {
  const name = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${code === 'missing' ? 'is missing' : code}`;
}
