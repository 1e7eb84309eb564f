import { type FieldProblem, Problem } from '../domain/problem.js';
import { plainReply, type PlainReply } from '../http/problem-reply.js';

/**
 * Returns the answer to a failure: a Problem's message with the invalid fields. Agents retry 429 and 5xx and give up at
 * any other 4xx, so a temporary failure must not be one of those.
 */
export function errorReply(error: unknown, requestId: string): PlainReply {
  return plainReply(
    error instanceof URIError ? new Problem('malformed', 'The path cannot be decoded') : error,
    requestId,
    { messageOf },
  );
}

/** What a caller above its budget may read beside the message. */
export const publicDetails = (error: unknown): Readonly<Record<string, string | number>> =>
  error instanceof Problem && error.code === 'rate_limited' ? (error.details.public ?? {}) : {};

function messageOf({ code, message, details: { fields = [] } }: Problem): string {
  return code === 'invalid' && fields.length > 0 ? `${message}: ${fields.map(sentence).join(', ')}` : message;
}

const sentence = ({ field, code }: FieldProblem) =>
  `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${code === 'missing' ? 'is missing' : code}`;
