import { Problem } from '../domain/problem.js';
import { plainReply, type PlainReply } from '../problem-reply.js';

/** The answer to a failure. An address that cannot be one of ours is as good as one that leads nowhere; agents try every one again (agent-protocol 1.4). */
export function errorReply(error: unknown, requestId: string): PlainReply {
  const nowhere = error instanceof URIError || (error instanceof Problem && error.code === 'invalid');
  return plainReply(nowhere ? new Problem('not_found', 'Not Found') : error, requestId);
}
