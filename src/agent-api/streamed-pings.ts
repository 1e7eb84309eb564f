import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { Context } from '../request/context.js';
import { perform } from '../core/operation.js';
import type { AgentDispatch } from '../dispatch/agent-dispatch.js';
import type { StreamEnd, StreamSink } from '../dispatch/agent-stream.js';
import {
  decodeStreamRequest,
  encodeStreamMessage,
  frame,
  FrameReader,
  grpcStatus,
  StreamFormatError,
  streamPingsPath,
} from '../domain/agents/stream-messages.js';
import { limits } from '../domain/limits/limits.js';
import { forbidden, Problem } from '../domain/problem.js';
import { readBody } from '../http/body.js';
import { originOf } from '../http/client-address.js';
import { setRequestId } from '../http/request-id.js';
import { heartbeatAgent } from '../operations/agents/heartbeat.js';
import type { Services } from '../services/services.js';
import { sessionTokenHash } from '../auth/agent-header.js';
import { authenticateCaller } from './authentication.js';
import { answerError } from './router.js';

/** Milliseconds in which a client must have sent its request, and taken the end of its stream. */
const requestWithinMs = 10_000;
const endWithinMs = 5_000;
/** Bytes that a client may leave unread; messages have less than five thousand, and are few. */
const unreadBytes = 64 * 1024;

/** How the stream of a client that is still there ends: status, and words for its log. */
const endings: Record<Exclude<StreamEnd, 'left' | 'slow'>, readonly [status: number, message: string]> = {
  expired: [grpcStatus.deadlineExceeded, 'The stream has lasted long enough: open the next one'],
  unanswered: [grpcStatus.deadlineExceeded, 'An offered job was not accepted: open the next stream'],
  replaced: [grpcStatus.aborted, 'The agent has opened another stream'],
  session_ended: [grpcStatus.unauthenticated, 'The session of the agent has ended'],
  draining: [grpcStatus.unavailable, 'Slipway is shutting down'],
  unavailable: [grpcStatus.unavailable, 'The database is unavailable'],
};

/**
 * Streamed pings: gRPC over HTTP/1.1, as agents from 3.119 on ask for them. A call that is refused gets an ordinary
 * HTTP status: at 401, 403 and 404 agents ping for good, at any other they ping until a stream opens.
 */
export function streamPingsRouter(services: Services, dispatch: AgentDispatch): Router {
  const router = express.Router();
  router.use((request, response, next) => {
    response.locals['requestId'] = setRequestId(request, response);
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.post('/', openStream(services, dispatch));
  router.all('/', (_request, response) => {
    response.status(405).set('Allow', 'POST').json({ message: 'Pings are streamed in answer to POST' });
  });
  router.use(answerError(services));
  return router;
}

export { streamPingsPath };

function openStream(services: Services, dispatch: AgentDispatch): RequestHandler {
  return async (request, response) => {
    requireRoom(dispatch);
    if (!/^application\/grpc(\+proto)?($|;)/i.test(request.headers['content-type'] ?? ''))
      throw new Problem('unsupported_media_type', 'Streams of pings are gRPC: application/grpc');
    const hash = sessionTokenHash(request.headers.authorization);
    let read = hash === null ? null : await dispatch.read(hash);
    if (hash === null || !read?.standing) throw await refusal(services, request);
    if ((await requestedAgent(request)) !== read.standing.id)
      throw forbidden('The stream is for another agent than the session token');
    if (read.standing.connectionState === 'lost') {
      await comeBack(services, request, response);
      read = await dispatch.read(hash);
    }
    const { standing, version } = read;
    // The client may be gone, or the process about to stop, since it asked.
    if (!standing || response.destroyed) throw await refusal(services, request);
    requireRoom(dispatch);
    hold(response, (sink) => dispatch.open({ standing, version }, sink));
  };
}

function requireRoom(dispatch: AgentDispatch): void {
  if (dispatch.refusal === 'draining') throw new Problem('unavailable', 'Slipway is shutting down', { retryAfter: 1 });
  if (dispatch.refusal === 'full') throw new Problem('rate_limited', 'Too many streams of pings are open');
}

/** The reason why a token opens no stream: it is unknown, or it is that of a job or of a registration. */
async function refusal(services: Services, request: Request): Promise<Problem> {
  await authenticateCaller(services, 'GET', request.headers.authorization);
  return forbidden('This needs the session token of the agent');
}

/** The agent that the request names. A client that does not send all of it in time is cut off. */
async function requestedAgent(request: Request): Promise<string> {
  const timer = setTimeout(() => request.destroy(), requestWithinMs).unref();
  try {
    const bytes = await readBody(request, {
      bytes: limits.streamRequestBytes,
      message: 'The request for a stream of pings is too large',
    });
    const [message] = new FrameReader(limits.streamRequestBytes).push(bytes);
    if (!message) throw new StreamFormatError('The request has no message');
    return decodeStreamRequest(message).toLowerCase();
  } catch (error) {
    throw error instanceof StreamFormatError ? new Problem('malformed', error.message) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** A lost agent that opens a stream is there again: that counts as a heartbeat. */
async function comeBack(services: Services, request: Request, response: Response): Promise<void> {
  const actor = await authenticateCaller(services, request.method, request.headers.authorization);
  await perform(
    heartbeatAgent,
    new Context(services, {
      actor,
      surface: 'agent',
      requestId: String(response.locals['requestId']),
      ...originOf(request, services.trustsProxy),
    }),
    {},
  );
}

/** Sends the head of the reply and connects the stream with the response, in both directions. */
function hold(response: Response, open: (sink: StreamSink) => { leave(reason: 'left' | 'slow'): void }): void {
  response.writeHead(200, {
    'Content-Type': 'application/grpc',
    Trailer: 'grpc-status, grpc-message',
    // Proxies that collect replies would keep jobs from agents.
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  let stream: { leave(reason: 'left' | 'slow'): void } | null = null;
  let slow = false;
  const sink: StreamSink = {
    send: (message) => {
      if (response.writableEnded || response.destroyed) return;
      response.write(frame(encodeStreamMessage(message)));
      slow ||= response.writableLength > unreadBytes;
      if (slow) stream?.leave('slow');
    },
    end: (reason) => {
      if (reason === 'left' || reason === 'slow') {
        response.destroy();
        return;
      }
      const [status, message] = endings[reason];
      response.addTrailers({ 'grpc-status': String(status), 'grpc-message': encodeURIComponent(message) });
      const timer = setTimeout(() => response.destroy(), endWithinMs).unref();
      response.once('close', () => clearTimeout(timer));
      response.end();
    },
  };
  response.on('error', () => undefined);
  stream = open(sink);
  response.once('close', () => stream.leave('left'));
  if (response.destroyed) stream.leave('left');
}
