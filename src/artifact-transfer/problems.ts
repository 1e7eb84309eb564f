import { Problem } from '../domain/problem.js';
import { plainReply, type PlainReply } from '../http/problem-reply.js';

/** Answers a failure. Malformed addresses are answered 404, like unknown ones; agents retry every status. */
export function errorReply(error: unknown, requestId: string): PlainReply {
  const nowhere = error instanceof URIError || (error instanceof Problem && error.code === 'invalid');
  return plainReply(nowhere ? new Problem('not_found', 'Not Found') : error, requestId);
}
