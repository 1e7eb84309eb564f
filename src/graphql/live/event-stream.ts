import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { createHandler } from 'graphql-sse/lib/use/express';
import type { UserActor } from '../../auth/actor.js';
import { readRequest } from '../request-body.js';
import type { LiveDoor, Subscriber } from './live-door.js';

/** Whether a request asks for its answer as server-sent events. */
export function wantsEventStream(request: Request): boolean {
  return request.headers.accept?.toLowerCase().includes('text/event-stream') ?? false;
}

/**
 * Subscriptions as server-sent events, one a connection: the "distinct connections" mode of the GraphQL over SSE
 * protocol, which needs no memory of the client on any one server. Expects the caller authenticated, and the body read
 * where there is one; a GET has its operation in the query.
 */
export function eventStream(door: LiveDoor): RequestHandler {
  const handler = createHandler({
    authenticate: () => null,
    validate: () => [],
    onSubscribe: (request, params) => {
      const { raw: req, context } = request;
      const prepared = door.prepare(readRequest({ body: params }), subscriberOf(req as unknown as Request, context.res as unknown as Response));
      return 'schema' in prepared ? { ...prepared, contextValue: prepared.contextValue as never } : { data: null, errors: [...prepared] };
    },
    subscribe: (args) => door.subscribe(args as Parameters<LiveDoor['subscribe']>[0]),
    // The library reads ahead without bound: the next result is made once this one has left.
    onNext: async (_context, { context }) => {
      const { res } = context;
      while (res.writableNeedDrain && !res.closed) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    },
  });
  return async (req, res) => {
    req.headers.accept = 'text/event-stream';
    // The body is read as JSON whatever its type says, as everywhere (compatibility 2); the library would refuse it.
    if (req.method === 'POST') req.headers['content-type'] = 'application/json';
    // Proxies must not collect what should arrive now.
    res.setHeader('X-Accel-Buffering', 'no');
    await handler(req, res);
  };
}

function subscriberOf(req: Request, res: Response): Subscriber {
  return {
    actor: res.locals['actor'] as UserActor,
    authorization: req.headers.authorization ?? '',
    facts: { requestId: String(res.getHeader('X-Request-Id')), ipAddress: req.ip ?? null, userAgent: req.headers['user-agent'] ?? null },
  };
}
