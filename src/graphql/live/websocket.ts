import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { GraphQLError } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import type { UserActor } from '../../auth/actor.js';
import type { Services } from '../../context.js';
import { limits } from '../../domain/limits.js';
import { Problem } from '../../domain/problem.js';
import { authenticateHeader } from '../authentication.js';
import { formatProblem } from '../errors.js';
import { readRequest } from '../request-body.js';
import type { LiveDoor, Subscriber } from './live-door.js';

/** Pings that find a client gone, and keep proxies from thinking so. */
const keepAliveMs = 12_000;
const closePatienceMs = 500;

/** A message is a document with its variables. */
const messageBytes = 2 * limits.graphqlDocumentBytes;

/** What is remembered with a connection; an alias, because the library wants an index signature. */
type Known = { subscriber?: Subscriber };

export interface WebSocketDoor {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  stop(): Promise<void>;
}

/**
 * Subscriptions over the `graphql-transport-ws` protocol, at /graphql. The token comes with the connection's
 * parameters (`Authorization: "Bearer …"`, or `token`) or in the header of the upgrade; 4401 closes a connection
 * without a good one, 1001 one of a server that stops.
 */
export function webSocketDoor(services: Services, door: LiveDoor): WebSocketDoor {
  const server = new WebSocketServer({ noServer: true, maxPayload: messageBytes, perMessageDeflate: false });
  const disposable = useServer<Record<string, unknown>, Known>(
    {
      onConnect: async ({ connectionParams, extra }) => {
        const authorization = authorizationOf(connectionParams, extra.request);
        try {
          const actor: UserActor = await authenticateHeader(services, authorization);
          extra.subscriber = { actor, authorization, facts: factsOf(extra.request) };
          return true;
        } catch (error) {
          if (error instanceof Problem) extra.socket.close(4401, 'Unauthorized');
          else {
            services.log.error({ err: error }, 'a subscriber could not be authenticated');
            extra.socket.close(1013, 'Try again later');
          }
          return false;
        }
      },
      onSubscribe: ({ extra, subscriptions }, _id, payload) => {
        if (!extra.subscriber) return [new GraphQLError('Authentication required', { extensions: { code: 'UNAUTHENTICATED' } })];
        if (Object.keys(subscriptions).length > limits.subscriptionsPerConnection) return [refusal(new Problem('rate_limited', `A connection has at most ${limits.subscriptionsPerConnection} subscriptions at a time`))];
        try {
          return door.prepare(readRequest({ body: payload }), extra.subscriber);
        } catch (error) {
          if (error instanceof Problem) return [refusal(error)];
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
    upgrade: (request, socket, head) => server.handleUpgrade(request, socket, head, (client) => server.emit('connection', client, request)),
    stop: async () => {
      if (stopped) return;
      stopped = true;
      // A client that does not answer the closing handshake must not hold the process.
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

function authorizationOf(params: Record<string, unknown> | undefined, request: IncomingMessage): string {
  const given = params?.['Authorization'] ?? params?.['authorization'];
  if (typeof given === 'string') return given;
  const token = params?.['token'];
  return typeof token === 'string' ? `Bearer ${token}` : (request.headers.authorization ?? '');
}

function factsOf(request: IncomingMessage): Subscriber['facts'] {
  return { requestId: randomUUID(), ipAddress: request.socket.remoteAddress ?? null, userAgent: request.headers['user-agent'] ?? null };
}
