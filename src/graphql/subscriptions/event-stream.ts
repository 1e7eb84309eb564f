import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { createHandler } from 'graphql-sse/lib/use/express';
import type { UserActor } from '../../auth/actor.js';
import type { Services } from '../../services/services.js';
import { allowedTo, type Credential } from '../server/authentication.js';
import { originOf, type ProxyTrust } from '../../http/client-address.js';
import { readRequest } from '../server/request-body.js';
import { sendUncompressed } from '../../http/compress-replies.js';
import type { SubscriptionServer, Subscriber } from './subscription-server.js';

/** Whether a request accepts server-sent events. */
export function wantsEventStream(request: Request): boolean {
  return request.headers.accept?.toLowerCase().includes('text/event-stream') ?? false;
}

/**
 * Serves subscriptions as server-sent events, one per connection: the "distinct connections" mode of the GraphQL over
 * SSE protocol, in which servers keep no state of clients. Expects an authenticated caller and, unless the request is a
 * GET with the operation in its query, a parsed body.
 */
export function eventStream(server: SubscriptionServer, services: Services): RequestHandler {
  const trust = services.trustsProxy;
  const handler = createHandler({
    authenticate: () => null,
    validate: () => [],
    onSubscribe: (request, params) => {
      const { raw: req, context } = request;
      const subscriber = subscriberOf(trust, req as unknown as Request, context.res as unknown as Response);
      const prepared = server.prepare(
        readRequest({ body: params }, allowedTo(services, subscriber.credential)),
        subscriber,
      );
      // The library types a context as a plain record, and hands ours through unchanged.
      return 'schema' in prepared
        ? { ...prepared, contextValue: prepared.contextValue as never }
        : { data: null, errors: [...prepared] };
    },
    subscribe: (args) => server.subscribe(args as Parameters<SubscriptionServer['subscribe']>[0]),
    // The library would read ahead without bound, so the next result waits until this one is sent.
    onNext: async (_context, { context }) => {
      const { res } = context;
      while (res.writableNeedDrain && !res.destroyed) await Promise.race([once(res, 'drain'), once(res, 'close')]);
    },
  });
  return async (req, res) => {
    req.headers.accept = 'text/event-stream';
    // Every surface reads bodies as JSON regardless of their content type; the library would refuse other types.
    if (req.method === 'POST') req.headers['content-type'] = 'application/json';
    sendUncompressed(res);
    // Keeps nginx from buffering messages.
    res.setHeader('X-Accel-Buffering', 'no');
    await handler(req, res);
  };
}

function subscriberOf(trust: ProxyTrust | undefined, req: Request, res: Response): Subscriber {
  return {
    actor: res.locals['actor'] as UserActor,
    credential: res.locals['credential'] as Credential,
    facts: {
      requestId: String(res.getHeader('X-Request-Id')),
      ...originOf(req, trust),
    },
  };
}
