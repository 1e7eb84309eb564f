import type { RequestHandler, Response } from 'express';
import type { AgentDispatch } from '../dispatch/agent-dispatch.js';
import type { Services } from '../services/services.js';
import { sessionTokenHash } from '../auth/agent-header.js';
import { readBody } from './request-body.js';
import { heartbeat, offer } from './wire.js';

/**
 * Answers pings of idle agents from a read that all pings of the moment share, and with the jobs of one pass over their
 * queue. Any other ping goes on to the operation.
 */
export function quietPing(dispatch: AgentDispatch): RequestHandler {
  return async (request, response, next) => {
    const hash = sessionTokenHash(request.headers.authorization);
    const answer = hash === null ? null : await dispatch.answerPing(hash);
    if (!answer) return next();
    nameCaller(response, answer.agentId);
    response.json(answer.jobId === null ? {} : offer(answer.jobId));
  };
}

/**
 * Answers heartbeats once they are stored, together with all others of the moment. Any other call goes on to the
 * operation.
 */
export function storedHeartbeat(services: Services, dispatch: AgentDispatch): RequestHandler {
  return async (request, response, next) => {
    const hash = sessionTokenHash(request.headers.authorization);
    const agentId = hash === null ? null : await dispatch.beat(hash);
    if (agentId === null) return next();
    nameCaller(response, agentId);
    const { json } = await readBody(request, 'json');
    response.json(heartbeat(json['sent_at'], services.clock.now()));
  };
}

/** Names the caller in the log, by its id alone. */
function nameCaller(response: Response, id: string): void {
  response.locals['actor'] = { kind: 'agent', agent: { id }, job: null };
}
