import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer as Server } from 'ws';
import type { Services } from '../../services/services.js';
import { limits } from '../../domain/limits/limits.js';
import { Problem } from '../../domain/problem.js';
import { originOf, type ProxyTrust } from '../../http/client-address.js';
import { endWithReply } from '../../http/raw-reply.js';
import { allowedTo, authenticateSocket } from '../server/authentication.js';
import { formatProblem } from '../server/errors.js';
import { DocumentRefusal, readRequest } from '../server/request-body.js';
import type { SubscriptionServer, Subscriber } from './subscription-server.js';

/** Interval of pings, which detect clients that are gone and keep proxies from closing idle connections. */
const keepAliveMs = 12_000;
const closePatienceMs = 500;

/** A message is a document with its variables. */
const messageBytes = 2 * limits.graphqlDocumentBytes;

/** Bytes that may wait to be read by a client that sends more. */
const mostBuffered = 16 * 1024 * 1024;

/** Data stored with a connection. A type alias, because the library requires an index signature. */
type Known = { subscriber?: Subscriber };

export interface WebSocketServer {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  stop(): Promise<void>;
}

/**
 * Serves subscriptions over the `graphql-transport-ws` protocol at /graphql. The token is in the connection parameters
 * (`Authorization: "Bearer …"` or `token`) or in the Authorization header of the upgrade; without one the session
 * cookie counts, on connections from our own pages. Connections without a valid credential are closed with 4401, those
 * of a foreign page that carry a session with 4403, connections of a stopping server with 1001.
 */
export function webSocketServer(services: Services, door: SubscriptionServer): WebSocketServer {
  const server = new Server({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  // The library listens for one error; a second one of the same connection would be uncaught.
  server.on('connection', (client) => {
    client.on('error', (error) => services.log.debug({ err: error }, 'a WebSocket connection failed'));
    // Each message of a subscription waits until the one before is sent, but every ping is answered: a client that
    // sends and does not read would have answers pile up.
    const bound = () => {
      if (client.bufferedAmount > mostBuffered) client.terminate();
    };
    client.on('ping', bound).on('message', bound);
  });
  // Without a listener the library answers in plain text.
  server.on('wsClientError', ({ message }, socket, request) => {
    if (request.method === 'GET') endWithReply(socket, 400, message, { 'Sec-WebSocket-Version': '13, 8' });
    else endWithReply(socket, 405, message, { Allow: 'GET' });
  });
  const disposable = useServer<Record<string, unknown>, Known>(
    {
      onConnect: async ({ connectionParams, extra }) => {
        const authorization = authorizationOf(connectionParams, extra.request);
        try {
          const caller = await authenticateSocket(services, extra.request, authorization);
          extra.subscriber = { ...caller, facts: factsOf(extra.request, services.trustsProxy) };
          return true;
        } catch (error) {
          if (error instanceof Problem && error.code === 'forbidden') extra.socket.close(4403, 'Forbidden');
          else if (error instanceof Problem) extra.socket.close(4401, 'Unauthorized');
          else {
            services.log.error({ err: error }, 'a subscriber could not be authenticated');
            extra.socket.close(1013, 'Try again later');
          }
          return false;
        }
      },
      onSubscribe: ({ extra, subscriptions }, _id, payload) => {
        if (!extra.subscriber)
          return [new GraphQLError('Authentication required', { extensions: { code: 'UNAUTHENTICATED' } })];
        if (Object.keys(subscriptions).length > limits.subscriptionsPerConnection)
          return [
            refusal(
              new Problem(
                'rate_limited',
                `A connection has at most ${limits.subscriptionsPerConnection} subscriptions at a time`,
              ),
            ),
          ];
        try {
          const operation = readRequest({ body: payload }, allowedTo(services, extra.subscriber.credential));
          return door.prepare(operation, extra.subscriber);
        } catch (error) {
          if (error instanceof Problem) return [refusal(error)];
          if (error instanceof DocumentRefusal)
            return [new GraphQLError(error.message, { extensions: { code: error.code } })];
          throw error;
        }
      },
      subscribe: (args) => door.subscribe(args),
      isProd: true,
    },
    server,
    keepAliveMs,
  );
  let stopped = false;
  return {
    upgrade: (request, socket, head) =>
      server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request)),
    stop: async () => {
      if (stopped) return;
      stopped = true;
      // A client that does not answer the closing handshake must not delay the end of the process.
      const clients = [...server.clients];
      const timer = setTimeout(() => clients.forEach((client) => client.terminate()), closePatienceMs);
      await disposable.dispose();
      clearTimeout(timer);
    },
  };
}

function refusal(problem: Problem): GraphQLError {
  const { message, extensions } = formatProblem(problem);
  return new GraphQLError(message, extensions ? { extensions } : {});
}

function authorizationOf(params: Record<string, unknown> | undefined, request: IncomingMessage): string | undefined {
  const authorization = params?.['Authorization'] ?? params?.['authorization'];
  if (typeof authorization === 'string') return authorization;
  const token = params?.['token'];
  return typeof token === 'string' ? `Bearer ${token}` : request.headers.authorization;
}

function factsOf(request: IncomingMessage, trust: ProxyTrust | undefined): Subscriber['facts'] {
  return {
    requestId: randomUUID(),
    ...originOf(request, trust),
  };
}
