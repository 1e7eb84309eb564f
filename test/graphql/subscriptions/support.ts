import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { agentRouter } from '../../../src/agent-api/router.js';
import { graphqlRouter, type GraphqlSurface } from '../../../src/graphql/server/router.js';
import { restSurface } from '../../../src/rest/router.js';
import { Gate } from '../../../src/server/gate.js';
import { acceptUpgrades } from '../../../src/server/upgrades.js';
import { type Person, World } from '../../support/world.js';

// The type of a message depends on the subscription; each test checks what it expects.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Message = any;

/** The surfaces of a world on a real port, so that tests can keep, upgrade and cut connections. */
export class LiveServer {
  private constructor(
    readonly world: World,
    readonly app: express.Express,
    readonly surface: GraphqlSurface,
    private readonly server: Server,
    readonly url: string,
    private readonly ownsWorld: boolean,
  ) {}

  static async open(options: Parameters<typeof World.create>[0] = {}): Promise<LiveServer> {
    return LiveServer.onto(await World.create(options), true);
  }

  /** Another server in front of the same world, like a second replica. */
  static async onto(world: World, ownsWorld = false): Promise<LiveServer> {
    const surface = await graphqlRouter(world.services);
    const app = express();
    app.use('/graphql', surface.router);
    app.use('/v2', restSurface(world.services).router);
    app.use('/v3', agentRouter(world.services));
    const gate = new Gate(app);
    const server = createServer(gate.listener);
    acceptUpgrades(
      server,
      gate,
      (path) => (path === '/graphql' ? async (...taken) => (surface.upgrade(...taken), true) : null),
      world.services.log,
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new LiveServer(
      world,
      app,
      surface,
      server,
      `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      ownsWorld,
    );
  }

  async close(): Promise<void> {
    await this.surface.drain();
    await this.surface.stop();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    if (this.ownsWorld) await this.world.close();
  }

  client(person: Person = this.world.admin, more: Partial<Parameters<typeof createClient>[0]> = {}): Client {
    return socketClient(this.url, person.token, more);
  }
}

/** A client with ordinary settings; it reconnects by itself only if `more` says so. */
export function socketClient(
  url: string,
  token: string,
  more: Partial<Parameters<typeof createClient>[0]> = {},
): Client {
  return createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams: { Authorization: `Bearer ${token}` },
    retryAttempts: 0,
    ...more,
  });
}

/** A subscription with all messages and errors received so far. */
export class Listener {
  readonly messages: Message[] = [];
  errors: Message[] = [];
  ended = false;
  private readonly stopIt: () => void;
  private ring: (() => void) | null = null;

  constructor(client: Client, query: string, variables: Record<string, unknown> = {}) {
    const over = () => {
      this.ended = true;
      this.ring?.();
    };
    this.stopIt = client.subscribe<Message>(
      { query, variables },
      {
        next: ({ data, errors }) => {
          if (errors) this.errors.push(...errors);
          if (data) this.messages.push(Object.values(data)[0]);
          this.ring?.();
        },
        error: (error) => {
          this.errors.push(...(Array.isArray(error) ? error : [error]));
          over();
        },
        complete: over,
      },
    );
  }

  stop(): void {
    this.stopIt();
  }

  get cursor(): string {
    return this.messages.at(-1).cursor;
  }

  get types(): string[] {
    return this.messages.flatMap(({ event }) => event?.type ?? []);
  }

  /** Waits until the messages received so far satisfy the condition; fails with all of them after a time limit. */
  async until(satisfied: () => boolean, patience = 10_000): Promise<void> {
    const deadline = Date.now() + patience;
    while (!satisfied()) {
      if (Date.now() > deadline)
        throw new Error(
          `told so far: ${JSON.stringify(this.messages)} ${JSON.stringify(this.errors)} ended: ${this.ended}`,
        );
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        this.ring = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Waits for the first message, which confirms that the subscription has started. */
  begun(): Promise<void> {
    return this.until(() => this.messages.length > 0 || this.ended);
  }
}
