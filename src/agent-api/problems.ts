import { type FieldProblem, Problem } from '../domain/problem.js';
import { plainReply, type PlainReply } from '../problem-reply.js';

/**
 * The answer to a failure: a problem in its own words, with the fields that are wrong. Agents try 429 and 5xx again and
 * give up at any other 4xx (agent-protocol 1.4), so nothing that passes may be among those.
 */
export function errorReply(error: unknown, requestId: string): PlainReply {
  return plainReply(error instanceof URIError ? new Problem('malformed', 'The path cannot be decoded') : error, requestId, { messageOf });
}

function messageOf({ code, message, details: { fields = [] } }: Problem): string {
  return code === 'invalid' && fields.length > 0 ? `${message}: ${fields.map(sentence).join(', ')}` : message;
}

const sentence = ({ field, code }: FieldProblem) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} ${code === 'missing' ? 'is missing' : code}`;
